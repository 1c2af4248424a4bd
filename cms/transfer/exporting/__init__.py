"""Tables into a file."""
