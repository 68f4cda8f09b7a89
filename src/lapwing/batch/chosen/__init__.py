"""The method to use when you do not want to choose one."""
