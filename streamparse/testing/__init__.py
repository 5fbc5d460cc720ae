"""The kit that proves parsers and states: for this library's own tests, and for yours.

from streamparse.testing import check_state

def test_sql():
    check_state(SqlState, {'<sql db="a">select 1</sql>': [("sql", {"db": "a"}, "select 1", {})]})
"""

from streamparse.testing.checks import assert_chunk_invariant, check_state
from streamparse.testing.events import Segment, check_order, normalize, segments
from streamparse.testing.splits import splits

__all__ = ["Segment", "assert_chunk_invariant", "check_order", "check_state", "normalize", "segments", "splits"]
