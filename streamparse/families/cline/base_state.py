"""What the states for tools as bare tags have in common: the tool that was opened, and its parameters.

<read_file>             the opener's options say what is declared for it; in a plan, a call may say more
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.state import BaseState
from streamparse.families.cline.grammar import Parameters
from streamparse.families.cline.reader import ParameterReader


class ParameterState(ParameterReader, BaseState):
    """Reads parameters from the context's scanner."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._format = context.opener.format
        parameters = context.opener.get_options(Parameters)
        parameters = parameters.in_plan if context.plans.is_open else parameters
        self._begin_reading(parameters, context.scanner, context.config.limits.max_held)
