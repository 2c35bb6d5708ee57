"""What the Python sessions share."""
import sys

LONG_AGO = 1000000000  # a date, which as an exptime means: expired already


def check(what, got, expected):
    """Shows what a call returned, and ends the session if it is not what it should be."""
    if got != expected:
        sys.exit("%s: got %r, expected %r" % (what, got, expected))
    print("%s -> %r" % (what, got))


def listed(value):
    """Takes the value of a logfetch or hgetall apart: <when or field> <flags> <bytes>, line feed, data, line feed."""
    found = []
    while value:
        line, rest = value.split(b"\n", 1)
        name, flags, size = line.split()
        found.append((name, int(flags), rest[: int(size)]))
        value = rest[int(size) + 1 :]
    return found


def taken(value):
    """Takes the value of a tasktake apart: <id> <flags> <bytes> <stamp>, line feed, data, line feed."""
    found = []
    while value:
        line, rest = value.split(b"\n", 1)
        task, flags, size, stamp = line.split()
        found.append((task, int(flags), rest[: int(size)], stamp.decode()))
        value = rest[int(size) + 1 :]
    return found


def events(value):
    """Returns the data of the events in the value of a logfetch."""
    return [data for _, _, data in listed(value)]
