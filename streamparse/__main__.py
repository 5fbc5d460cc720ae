"""`python -m streamparse` is the command `streamparse`."""

import sys

from streamparse.cli import main

sys.exit(main())
