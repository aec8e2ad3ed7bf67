"""Entity memories in the shapes that people know from elsewhere; ``memory/seeds.py`` is their face."""
