"""Call sequences of the property graph: each call takes what earlier ones gave."""
