"""Support vector machines that use unlabelled nodes."""
