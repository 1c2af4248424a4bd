"""Writing a site into one file."""
