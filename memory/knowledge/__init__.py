"""What is known of people and things: facts, relations and the profile."""
