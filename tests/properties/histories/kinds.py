"""All perturbations of an edit of one file, by name."""

from __future__ import annotations

from tests.properties.histories.lost_sign import LOST_SIGN
from tests.properties.histories.perturbed import UNIFIED, Perturbation
from tests.properties.histories.rewritten import REWRITTEN
from tests.properties.histories.stale import STALE

KINDS: dict[str, Perturbation] = {**UNIFIED, **REWRITTEN, **LOST_SIGN, **STALE}
