"""Calls whose arguments are literals of a language: `f(a='x', b=[1, 2])`."""
