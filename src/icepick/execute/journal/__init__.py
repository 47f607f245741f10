"""Everything that happened, on disk as soon as it did."""
