"""Categories, tags and the terms of every other taxonomy."""
