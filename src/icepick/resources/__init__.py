"""What an API keeps: its resources, their identifiers and references, and the property graph."""
