# SPDX-License-Identifier: GPL-3.0-or-later
# Loads land.exr as an image, makes a height map shape of it, and drops a ray on each place of places.json:
# x and z in meters from the middle. Prints, as JSON, the corners of the image and the heights that were hit.
extends SceneTree


func _read(name):
	var file = File.new()
	file.open("res://" + name, File.READ)
	var text = file.get_as_text()
	file.close()
	return JSON.parse(text).result


func _shape(image, spacing):
	var shape = HeightMapShape.new()
	shape.map_width = image.get_width()
	shape.map_depth = image.get_height()
	var heights = PoolRealArray()
	for row in range(image.get_height()):
		for column in range(image.get_width()):
			# A shape has its samples a meter apart: it is scaled as a whole, heights too.
			heights.append(image.get_pixel(column, row).r / spacing)
	shape.map_data = heights
	return shape


func _init():
	var given = _read("places.json")
	var image = Image.new()
	if image.load("res://land.exr") != OK:
		print("Godot cannot load the image")
		quit()
		return
	image.lock()
	var right = image.get_width() - 1
	var bottom = image.get_height() - 1
	var corners = [
		image.get_pixel(0, 0).r,
		image.get_pixel(right, 0).r,
		image.get_pixel(0, bottom).r,
		image.get_pixel(right, bottom).r,
	]
	var collision = CollisionShape.new()
	collision.shape = _shape(image, given.spacing)
	var ground = StaticBody.new()
	ground.add_child(collision)
	get_root().add_child(ground)
	yield(self, "idle_frame")
	yield(self, "physics_frame")
	yield(self, "physics_frame")
	var space = get_root().world.direct_space_state
	var hits = []
	for place in given.places:
		var x = place[0] / given.spacing
		var z = place[1] / given.spacing
		var hit = space.intersect_ray(Vector3(x, 1000.0, z), Vector3(x, -1000.0, z))
		hits.append(hit.position.y * given.spacing if hit else null)
	print(JSON.print({"size": [right + 1, bottom + 1], "corners": corners, "hits": hits}))
	quit()
