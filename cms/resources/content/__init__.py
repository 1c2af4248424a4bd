"""Posts, pages and plugins' types."""
