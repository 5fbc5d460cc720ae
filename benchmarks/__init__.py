"""Runnable comparisons: start with `python -m benchmarks.run`; README.md says what each of them answers."""
