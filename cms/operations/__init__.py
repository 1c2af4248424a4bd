"""The engine: list, get, create, update, delete, query building, serialization, embedding; knows no single resource."""
