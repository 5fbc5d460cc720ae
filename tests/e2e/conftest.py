"""What several tests of the command are given."""

from tests.cli.agent_setting import setting

__all__ = ["setting"]
