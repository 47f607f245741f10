"""The way to the service and back: connections, credentials, limits, secrets."""
