"""Running the service: its commands, settings, logs, numbers and worker processes."""
