"""How work runs: threads, progress, random streams, whole-or-nothing files."""
