"""Making a new site: first account, first category, demo content."""
