"""Which piece of the passages answers a question: a learned cross-encoder over the bundled embedding model."""
