"""Kernels as columns, and functions grown from them: what the kernel learners share."""
