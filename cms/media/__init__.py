"""Uploaded files: their names, types and storage, and the renditions of pictures."""
