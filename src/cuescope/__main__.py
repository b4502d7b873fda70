"""python -m cuescope."""

from cuescope.cli import main

main()
