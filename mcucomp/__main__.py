"""`python -m mcucomp` is the `mcucomp` command."""

from mcucomp.cli import main

main()
