"""Measures the server as a whole; ``make bench`` prints the figures that stand in ``docs/benchmarks.md``."""
