"""What can be wrong inside a database, and its repair: the statements of `cms doctor`."""
