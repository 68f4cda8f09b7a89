"""The HTTP side: bodies, who is asking, the gate that every request passes."""
