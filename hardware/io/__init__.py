"""Shells: serial ports and files."""
