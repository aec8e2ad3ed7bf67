"""Answers: quoted from the documents, compared, or said by a chat model, with their sources."""
