"""Winnow (lectures 11 and 12): learning by multiplication what needs few out of many variables."""
