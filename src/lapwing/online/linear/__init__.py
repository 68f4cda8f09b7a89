"""What the learners with weight vectors on rows share."""
