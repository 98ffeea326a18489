"""Kernels that learn and know no graph."""
