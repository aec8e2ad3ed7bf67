"""Arabic: its grammar, texts and lexicon as data, and what they cannot say as functions."""
