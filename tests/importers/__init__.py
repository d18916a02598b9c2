"""Importers, each fed small files of its own."""
