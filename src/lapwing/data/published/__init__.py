"""Published data sets, read from the files their authors published."""
