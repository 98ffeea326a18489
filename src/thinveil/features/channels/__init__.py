"""Channels: what can be seen of a node by itself, one file each."""
