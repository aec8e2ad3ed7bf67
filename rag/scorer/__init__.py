"""The learned scorer of reference resolution, over the embedding model's own layers."""
