"""How this service does things: seen first, heeded afterwards."""
