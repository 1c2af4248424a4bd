"""What can be wrong with a site: checks that find it, and what repairs it."""
