"""The first line that a process prints, and nothing of what follows: that is left in its pipe for communicate(), which does not
see what a buffer of readline() has already taken."""
import os


def first_line(stream):
    """Of a pipe from a process; "" or a cut line: it has closed it."""
    text = b""
    while not text.endswith(b"\n") and (letter := os.read(stream.fileno(), 1)):
        text += letter
    return text.decode(errors="surrogateescape")
