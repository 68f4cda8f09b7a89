"""Where logs are kept: a database to which events are only ever added."""
