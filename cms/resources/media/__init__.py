"""Media: uploaded files with what is said of them."""
