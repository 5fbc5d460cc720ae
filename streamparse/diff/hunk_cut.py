"""Whether the last hunk of a text that may be cut off is whole.

    @@ -1,4 +1,4 @@        announces four old lines and four new ones
     a
    -b                     but the text ends here, with two old ones and one that is new

Models count badly, so that a header announces more than there is shows little by itself. What counts as well is
whether the headers before it were right, and how much context the changes have before and behind them.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from streamparse.diff.hunk import Hunk
from streamparse.diff.index import FileIndex
from streamparse.diff.place import Place

#: How many lines of context most patches have.
_USUAL = 3


def breaks_off(hunk: Hunk, place: Place, index: FileIndex, counts: Set[bool]) -> bool:
    """Whether a text that may be cut off ends within it; `place` is that of its changes.

    `counts` says of the hunks before it whether their headers announced what there was.
    What looks like context and was taken for the end of the patch is context if the file goes on with it.
    A last line without its ending may be half a line, unless it is context that the file has. A header that
    announced more lines is believed if those of the hunks before it were right, and else unless it cannot be right,
    because there are too many lines of the other kind or the file has not as many, or the changes have as much
    context behind them as before them. But then what is missing may be one more change with so much context,
    unless a header before it was wrong, too. A hunk without counts that changes nothing has not come to its change.
    """
    following = index.trimmed.keys[place.following : place.following + 1]
    if hunk.is_open or following == [hunk.end_of_patch]:
        return True
    last, leading, trailing, left = hunk.lines[-1], hunk.whole.leading, hunk.whole.trailing, hunk.left
    if hunk.is_noop and hunk.announced is None and not any(line.body for line in hunk.prose) and not last.is_unended:
        return True
    if not last.ending and (last.kind != " " or hunk.fixes or place.origins[-1] is None or hunk.offset(place)):
        return True
    if left is None or max(left) <= 0:
        return False
    (old, new), behind = left, len(index.lines) - place.end - trailing
    before = hunk.offset(place) or 0
    is_after_others = old == before <= place.first_line and not hunk.is_moved
    if old == new and (is_after_others or old == _count_unknown(place.origins)):
        # They are missing before all others, or between them; if nothing shows the end, perhaps behind them.
        return not last.ending or (behind > 0 and trailing < max(1, leading))
    if hunk.is_noop or not last.ending or counts == {True}:
        return True
    if hunk.lacks_most(left) and (new > old or behind > 0):
        return True
    if min(old, new) < 0:
        return False
    if old > behind:  # the count is wrong, unless it belongs elsewhere, where there are as many
        return trailing < leading and any(len(index.lines) - one.end - trailing >= old for one in hunk.places)
    is_one_more = old == behind or (min(old, new) >= leading and max(old, new) > leading)
    # At the top of the file there may be less context before the changes than the usual three lines.
    is_one_more = is_one_more or (place.start == leading and old == new == _USUAL - trailing)
    return trailing < max(1, leading) or (is_one_more and False not in counts)


def _count_unknown(origins: Sequence[int | None]) -> int:
    """How many lines the file has between the lines of a hunk that these are."""
    known = [origin for origin in origins if origin is not None]
    return known[-1] - known[0] + 1 - len(known) if known else 0
