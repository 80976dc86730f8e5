# SPDX-License-Identifier: GPL-3.0-or-later
# Loads the only .exr of the project as an image, and writes the bytes that Godot holds of it to loaded.bin.
extends SceneTree


func _init():
	var folder = Directory.new()
	folder.open("res://")
	folder.list_dir_begin(true)
	var name = folder.get_next()
	while name != "" and name.get_extension() != "exr":
		name = folder.get_next()
	var image = Image.new()
	if image.load("res://" + name) != OK:
		print("Godot cannot load the image")
	image.convert(Image.FORMAT_RH)
	var file = File.new()
	file.open("res://loaded.bin", File.WRITE)
	file.store_buffer(image.get_data())
	file.close()
	quit()
