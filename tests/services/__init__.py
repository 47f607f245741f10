"""Runs on services that other people wrote."""
