"""The overview (notebook 00): the map of the course, and the graph of its lectures."""
