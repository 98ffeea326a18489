"""A graph on the disk: arrays in a folder, opened without being read, and made of files larger than memory."""
