"""Measurements, one module each: ``python -m benchmarks`` runs all, ``python -m benchmarks.startup`` one."""
