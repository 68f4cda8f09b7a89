"""The studio: a web page and a notebook widget on which people label a graph."""

from lapwing.studio.page import PAGE, checked_page

__all__ = ["PAGE", "checked_page"]
