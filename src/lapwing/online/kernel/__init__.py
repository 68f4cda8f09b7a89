"""Kernels by columns, and functions in their span, for the kernel learners."""
