"""Whole trees, byte by byte: commits that move, copy, exchange and recode files, in everything that git writes.

    history = made(pick, folder, 20)                 # a random repository: every commit has the tree before and after
    for asked in WAYS["-B -M"](history): ...         # the difference, by one way of asking git for it
    case = garbled(pick, commit, parts, ("other numbers", "cut"))   # two faults at once, and which trees may come of it

`generated.py` makes the repositories, `ways.py` asks git, `garbled.py` perturbs. `tests/properties/histories` is about
one text at a time, and about the words of models; here it is about what git says of trees. Nothing here uses
`streamparse`.
"""
