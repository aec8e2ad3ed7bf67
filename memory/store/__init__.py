"""What is kept: tables, the database that holds them, and conversations."""
