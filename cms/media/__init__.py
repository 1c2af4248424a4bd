"""Files that are uploaded: their names, their types, the renditions of pictures."""
