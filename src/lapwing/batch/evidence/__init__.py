"""Several kinds of evidence, each judged by the labels that it did not see, and their mixture."""
