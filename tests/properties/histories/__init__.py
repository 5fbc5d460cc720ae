"""Real edits, and what models make of them: the commits of git repositories, perturbed.

    for commit in own_history(): ...                  # the commits of this repository
    for commit in random_history(pick, folder): ...   # those of a random one, made with git in `folder`
    for edit in commit.edits(): ...                   # one file of it: before, after, as git writes the difference
    case = KINDS["bare @@, U3"](pick, edit)           # … and as a model may write it
    judge(case, result.ok, result.content)            # right, told, refused or WRONG

`repository.py` asks git, `generated.py` makes random histories. `unified.py` reads what git writes, to the letter.
`perturbed.py` garbles it, `rewritten.py` writes it as `*** Begin Patch` or as SEARCH/REPLACE blocks and garbles those,
`lost_sign.py` takes a `+` off, and `stale.py` changes the file instead; `kinds.py` has all of these, and `verdict.py`
has the last word. Nothing here uses `streamparse.diff`.
"""
