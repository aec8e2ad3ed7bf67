"""Documents in: reading, splitting, embedding, and the indexes that are searched."""
