"""Verdicts on calls: by contracts, by invariants, by answers alone."""
