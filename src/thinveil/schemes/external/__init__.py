"""Schemes that are no part of thinveil: commands in any language, and callables of the user's own modules."""
