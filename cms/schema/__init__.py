"""Declarations as data: fields, argument and item schemas, resources, endpoints, content types."""
