"""What lets programs written for other packages run with this one."""
