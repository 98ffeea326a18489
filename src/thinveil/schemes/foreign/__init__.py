"""Releases made elsewhere: sub-graphs in files of any format that thinveil reads, and tables of who is who."""
