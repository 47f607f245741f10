"""One module of thin HTTP handlers for each resource of the shop."""
