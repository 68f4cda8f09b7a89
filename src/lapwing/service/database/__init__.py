"""The service's own tables, beside those of the logs in the same database."""
