"""Families of measures, one file each; a line each in the registry ``thinveil.measures.utility.FAMILIES``."""
