"""Third-party services for the benchmarks: installed, started and stopped by recipe."""
