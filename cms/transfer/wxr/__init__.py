"""The file format alone: bytes to records, texts to XML."""
