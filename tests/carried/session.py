"""What the Python sessions share."""
import sys


def check(what, got, expected):
    """Shows what a call returned, and ends the session if it is not what it should be."""
    if got != expected:
        sys.exit("%s: got %r, expected %r" % (what, got, expected))
    print("%s -> %r" % (what, got))


def events(value):
    """Takes the value of a logfetch apart: <when> <flags> <bytes>, line feed, data, line feed."""
    found = []
    while value:
        line, rest = value.split(b"\n", 1)
        size = int(line.split()[2])
        found.append(rest[:size])
        value = rest[size + 1 :]
    return found
