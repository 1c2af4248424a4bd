"""What plugin authors use: the hooks with their contracts."""
