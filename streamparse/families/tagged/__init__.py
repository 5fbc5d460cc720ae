"""Calls of open models whose parameters stand in tags: `<parameter=a>1</parameter>`."""
