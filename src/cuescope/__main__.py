"""python -m cuescope."""

from cuescope.commands.cli import main

main()
