# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the files of files.json as Godot 4 does while a game runs, and prints a line of JSON for each: the vertices of its
# meshes in the frame of the scene, their triangles, their names, and the images of their materials.
extends SceneTree

# EditorSceneFormatImporter.IMPORT_FORCE_DISABLE_MESH_COMPRESSION: without it Godot keeps 16 bits of a vertex.
const UNCOMPRESSED = 64


func _init():
	var given = JSON.parse_string(FileAccess.get_file_as_string("res://files.json"))
	for name in given.files:
		var document = GLTFDocument.new()
		var state = GLTFState.new()
		var flags = UNCOMPRESSED if given.uncompressed else 0
		if document.append_from_file("res://" + name, state, flags) != OK:
			print(JSON.stringify({"name": name, "error": "Godot cannot read it"}))
			continue
		var scene = document.generate_scene(state)
		var found = {"name": name, "points": [], "triangles": 0, "nodes": [], "has_normals": true}
		_gather(scene, Transform3D.IDENTITY, found)
		found.images = state.get_images().size()
		print(JSON.stringify(found, "", false, true))
		scene.free()
	quit()


func _gather(node, place, found):
	if node is Node3D:
		place = place * node.transform
	if node is MeshInstance3D:
		found.nodes.append(String(node.name))
		for surface in node.mesh.get_surface_count():
			var arrays = node.mesh.surface_get_arrays(surface)
			found.triangles += arrays[Mesh.ARRAY_INDEX].size() / 3
			found.has_normals = found.has_normals and arrays[Mesh.ARRAY_NORMAL] != null
			for point in arrays[Mesh.ARRAY_VERTEX]:
				var moved = place * point
				found.points.append([moved.x, moved.y, moved.z])
	for child in node.get_children():
		_gather(child, place, found)
