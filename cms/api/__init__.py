"""The only package that knows HTTP."""
