"""The OpenAPI documents: made from the declarations that validation, discovery and OPTIONS read."""
