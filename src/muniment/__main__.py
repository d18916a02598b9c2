"""`python -m muniment`."""

from __future__ import annotations

import sys

from muniment.surfaces.cli import script

sys.exit(script())
