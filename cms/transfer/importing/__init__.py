"""Records of an export into tables."""
