"""The readers of providers' chunks."""
