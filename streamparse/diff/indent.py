"""The indentation of new lines, by what the old ones show: how they are written and how the file has them.

    written  "if x:" / "    go()"      in the file  "\\tif x:" / "\\t\\tgo()"

so a new line with four blanks gets two tabs, one without any gets a tab, and one with eight gets three. Blank lines are
left as they are.

Old lines show only so much. If they do not follow one rule (`is_regular`), a new line is indented as old lines that are
written like it, and if those differ in the file, too (`is_contradictory`), there is no telling. What is given then is a
guess, and `is_guessed` says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from streamparse.diff.lines import BLANKS, is_blank

#: So many indentations are known at most: each line that has another is compared with all of them.
_MOST = 100


class Indentation:
    """`pairs` are the old lines, as written and as in the file; blank ones say nothing.

    `find_step` says how much deeper a line of the file is than the one that it belongs to; "" if that is not known.
    `may_slip`: one line that is not as in the file, or some without their sign, say nothing if all others are as there.
    """

    def __init__(
        self, pairs: Iterable[tuple[str, str]], find_step: Callable[[], str] = str, *, may_slip: bool = True
    ) -> None:
        shown = [
            (indent_of(written), indent_of(found)) for written, found in pairs if written.strip() and found.strip()
        ]
        self.is_kept = all(written == found for written, found in shown)
        self.is_guessed = False
        #: Whether the first line alone has lost its indentation, as text does that is trimmed as a whole.
        self.is_first_trimmed = False
        #: How deep lines are written that are not as in the file, where all others are: these say nothing of new ones.
        self.slips: set[str] = set()
        self.is_contradictory = False
        self._known: dict[str, str] = {}
        self._find_step = find_step
        self._derived: dict[str, tuple[str, bool]] = {}
        #: That of the first old line, as written and as in the file.
        self.first = shown[0] if shown else ("", "")
        if not self.is_kept:
            self._learn(shown)
        if may_slip and not self.is_kept and len(shown) > 2:
            self._learn_slips(shown)

    def _learn(self, shown: list[tuple[str, str]]) -> None:
        self._take(shown)
        others = shown[1:]
        # The others must show some indentation, or all may have lost it.
        may_be_trimmed = not self.first[0] and self.first[1] and any(written for written, _ in others)
        are_kept = all(written == found for written, found in others)
        if may_be_trimmed and (are_kept or not self.is_regular):
            self._take(others)
            self.is_first_trimmed = are_kept or self.is_regular
            if not self.is_first_trimmed:
                self._take(shown)

    def _learn_slips(self, shown: list[tuple[str, str]]) -> None:
        kept = [pair for pair in shown if pair[0] == pair[1]]
        others = {pair for pair in shown if pair[0] != pair[1]}
        is_slip = len(kept) == len(shown) - 1 or all(found == f" {written}" for written, found in others)
        # At the margin, lines are as in the file that have lost something, but not those that have something more.
        has_kept = any(written for written, _ in kept) or all(len(written) > len(found) for written, found in others)
        # Blanks of another kind may be in new lines, too.
        is_plain = all(set(written + found) in ({" "}, {"\t"}) for written, found in others)
        is_certain = is_plain and not self.is_contradictory and not self.is_first_trimmed
        if is_slip and is_certain and len(kept) > 1 and has_kept:
            self.slips = {written for written, _ in others}
            self._take(kept)

    def _take(self, shown: Sequence[tuple[str, str]]) -> None:
        self._known = {}
        self.is_contradictory = False
        for written, found in shown:
            if written in self._known:
                self.is_contradictory = self.is_contradictory or self._known[written] != found
            elif len(self._known) < _MOST:
                self._known[written] = found
        for name in ("unit", "is_regular", "_is_skewed"):
            self.__dict__.pop(name, None)  # they follow from what is known

    @cached_property
    def is_regular(self) -> bool:
        """Whether all old lines follow one rule."""
        return not self.is_contradictory and all(
            inner.startswith(outer) and inner_found == outer_found + self._convert(inner[len(outer) :])
            for (outer, outer_found), (inner, inner_found) in pairwise(self._by_depth)
        )

    @cached_property
    def unit(self) -> tuple[str, str]:
        """What is written for what: tabs for blanks, or blanks for more of them; empty if neither is."""
        return _find_unit(self._by_depth, self._find_step)

    @cached_property
    def _is_skewed(self) -> bool:
        """Whether steps have fewer blanks than in the file, or more, but lines have not: they are shifted, too."""
        written, found = self.unit
        is_scaled = written != found and set(written) == set(found) == {" "}
        is_less = len(written) < len(found)
        return is_scaled and any(one != two and (len(one) < len(two)) != is_less for one, two in self._known.items())

    @property
    def _by_depth(self) -> list[tuple[str, str]]:
        return sorted(self._known.items(), key=lambda pair: len(pair[0]))

    def apply(self, line: str, *, is_first: bool = False) -> str:
        """The line (without its ending) as it is indented in the file; `is_first`: of all new lines."""
        indent = indent_of(line)
        if self.is_kept or (is_blank(line) and indent in ("", line)):
            return line  # also what separates pages, at the margin
        if is_first and self.is_first_trimmed and not indent:
            return self.first[1] + line
        if self.is_first_trimmed and not indent and not self.knows(indent):
            return line  # text that is trimmed as a whole has lost nothing behind its first line
        return self._indent_for(indent) + line[len(indent) :]

    def _indent_for(self, indent: str) -> str:
        if indent in self._known:
            self.is_guessed = self.is_guessed or self.is_contradictory or self._is_skewed
            return self._known[indent]
        if indent not in self._derived:
            derived, is_certain = self._derive(indent)
            is_certain = is_certain and self.is_regular and self._is_step(indent)
            self._derived[indent] = derived, is_certain
        derived, is_certain = self._derived[indent]
        self.is_guessed = self.is_guessed or not is_certain or indent in self.slips
        return derived

    def _derive(self, indent: str) -> tuple[str, bool]:
        """What follows from the nearest indentation that is known, and whether it does follow."""
        known = self._known
        if outer := [written for written in known if indent.startswith(written)]:
            nearest = max(outer, key=len)
            return known[nearest] + self._convert(indent[len(nearest) :]), True
        if inner := [written for written in known if written.startswith(indent)]:
            nearest = min(inner, key=len)
            # What the nearest deeper line has more is taken off again.
            more, found = self._convert(nearest[len(indent) :]), known[nearest]
            return found[: max(0, len(found) - len(more))], found.endswith(more)
        return self._convert(indent), False

    def knows(self, indent: str) -> bool:
        """Whether an old line is written with that."""
        return indent in self._known

    def takes_off(self, blanks: str) -> bool:
        """Whether old lines are written with just so many blanks more than they have in the file."""
        return bool(blanks) and any(written == blanks + found for written, found in self._known.items())

    @property
    def is_first_deeper(self) -> bool:
        """Whether the first old line, which is trimmed, is deeper than others: another may be as deep as those."""
        return any(len(found) < len(self.first[1]) for found in self._known.values())

    @property
    def shows_steps(self) -> bool:
        """Whether the old lines show how deep a step is: a single indentation does not."""
        return len(self._known) > 1

    def is_on_grid(self, derived: str) -> bool:
        """Whether it is whole steps away from the one indentation that is known: one alone shows no unit."""
        if self.shows_steps or not (step := self._find_step()):
            return True
        (found,) = self._known.values()
        shorter, longer = sorted((found, derived), key=len)
        more = longer[len(shorter) :]
        return longer.startswith(shorter) and more == step * (len(more) // len(step))

    @property
    def is_tab_known(self) -> bool:
        """Whether old lines show how many blanks a tab is: either that is a step, or it is more, or some are lost."""
        if self.shows_steps:
            return True
        ((written, found),) = self._known.items()
        step = self._find_step()
        return set(written) != {"\t"} or set(step) != {" "} or len(found) == len(step * len(written))

    def _is_step(self, indent: str) -> bool:
        """Whether steps are as deep as some of old lines, if these have fewer blanks than in the file, or more."""
        written, found = self.unit
        if set(written) != {" "} or set(found) != {" "} or written == found:
            return True
        shown = [len(inner) - len(outer) for outer, inner in pairwise(sorted(self._known, key=len))]
        more = [len(indent) - len(one) for one in (*self._known, *self._derived)]
        # A blank that is only for looks, as before the `*` of a comment, is not written as several.
        is_whole = any(one % min(shown) == 0 or (one == 1 and len(written) > len(found)) for one in more)
        return is_whole and min(more) <= max(shown)

    def _convert(self, indent: str) -> str:
        written, found = self.unit
        return indent.replace(written, found) if written else indent


#: The `*` of a further line of a comment is one blank deeper than its `/*`; at another depth it is an item of a list.
STAR = re.compile(r"\t*(?:  )* \*")

#: What old lines show that are written as the file has them.
KEPT = Indentation([])


def steps_of(lines: Iterable[str]) -> Counter[str]:
    """By how much lines of a file are deeper than those before them, and how often; not those of a `/*` comment."""
    indents = [indent_of(line) for line in lines if line.strip() and not STAR.match(line)]
    deeper = ((outer, inner) for outer, inner in pairwise(indents) if len(inner) > len(outer))
    return Counter(inner[len(outer) :] for outer, inner in deeper if inner.startswith(outer))


def most_usual(steps: Counter[str]) -> str:
    """The step that is there most often, and the shortest of several; "" if there is none."""
    return max(steps, key=lambda more: (steps[more], -len(more)), default="")


def keeps_order(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether no line that is written deeper than another is less deep in the file; blank ones say nothing."""
    depths: dict[int, list[int]] = {}
    for written, found in pairs:
        if written.strip():
            depths.setdefault(len(indent_of(written)), []).append(len(indent_of(found)))
    ordered = [depths[depth] for depth in sorted(depths)]
    return all(max(one) <= min(other) for one, other in pairwise(ordered))


def indent_of(line: str) -> str:
    """The blanks that the line begins with."""
    return line.removesuffix(line.lstrip(BLANKS))


def width_of(line: str) -> int:
    """How deep the line is, also if there are tabs in its indentation."""
    return len(indent_of(line).expandtabs())


def _find_unit(pairs: list[tuple[str, str]], find_step: Callable[[], str]) -> tuple[str, str]:
    """What is written for what, where one side has tabs and the other blanks, or one has more blanks."""
    steps = list(_steps(pairs))
    if pairs and not steps and set(pairs[0][0]) == {"\t"} and set(pairs[0][1]) == set(find_step()) == {" "}:
        return "\t", find_step()
    for written, found in [*steps, *pairs[:1]]:
        tabs, blanks = sorted((written, found))
        if set(tabs) == {"\t"} and set(blanks) == {" "} and len(blanks) % len(tabs) == 0:
            width = " " * (len(blanks) // len(tabs))
            return ("\t", width) if written == tabs else (width, "\t")
    return _common_ratio(steps)


def _steps(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """By how much each indentation is deeper than the one before, as written and as found."""
    for (outer, outer_found), (inner, inner_found) in pairwise(pairs):
        if inner.startswith(outer) and inner_found.startswith(outer_found):
            yield inner[len(outer) :], inner_found[len(outer_found) :]


def _common_ratio(steps: list[tuple[str, str]]) -> tuple[str, str]:
    """Blanks for blanks, if every step is so many times as deep in the file, or as written."""
    ratios = set()
    for written, found in steps:
        less, more = sorted((len(written), len(found)))
        is_scaled = len(written) != len(found)
        if less < 1 + is_scaled or more % less or set(written + found) != {" "}:
            return "", ""
        ratios.add((len(written) // less, len(found) // less))
    if len(ratios) != 1:
        return "", ""
    ((written_width, found_width),) = ratios
    return " " * written_width, " " * found_width
