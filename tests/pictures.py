"""A picture to upload where it doesn't matter which."""

#: A GIF of one pixel.
PICTURE = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
