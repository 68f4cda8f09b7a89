"""Labels until a target error is proven, and whether the claims are true."""
