"""The file format alone: from bytes to records, from texts to XML."""
