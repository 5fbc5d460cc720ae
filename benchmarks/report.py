"""Rows of a result, printed as they come: what was measured, what was asked for, and whether it holds."""

from __future__ import annotations

from attrs import define, field, frozen


@frozen
class Row:
    """One result. `is_met` is None where there is no target."""

    name: str
    measured: str
    target: str = ""
    is_met: bool | None = None

    def render(self) -> str:
        verdict = {None: "", True: "ok", False: "MISSED"}[self.is_met]
        return f"  {self.name:<59} {self.measured:<38} {self.target:<24} {verdict}".rstrip()


@define
class Report:
    """Prints each row at once, because a run takes minutes, and remembers what was missed or crashed."""

    missed: list[str] = field(factory=list)
    crashed: list[str] = field(factory=list)
    _section: str = ""

    def section(self, title: str) -> None:
        self._section = title
        print(f"\n{title}", flush=True)

    def add(self, row: Row) -> None:
        print(row.render(), flush=True)
        if row.is_met is False:
            self.missed.append(f"{self._section}: {row.name}: {row.measured}, target {row.target}")

    def crash(self, name: str, error: Exception) -> None:
        line = f"{name}: {type(error).__name__}: {error}"
        print(f"  CRASHED {line}", flush=True)
        self.crashed.append(f"{self._section}: {line}")

    def summary(self) -> None:
        for title, lines in (("missed", self.missed), ("crashed", self.crashed)):
            if lines:
                print(f"\n{len(lines)} {title}:", *lines, sep="\n  ")
        if not self.missed and not self.crashed:
            print("\nEvery target is met.")
