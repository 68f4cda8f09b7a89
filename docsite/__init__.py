"""What the documentation site makes of the code when it is built: pages no one writes by hand."""
