import datetime

from session import check


def objects(m):
    """Elements of a list that the client pickles, or compresses, as it does on request."""
    values = ["two words", b"\x00\r\n\xff ", 42, {"to": "alice", "of": [1, None]}, datetime.date(2026, 11, 27), "long " * 5000, b"", b"x", bytes(range(256)), bytes(range(256)) * 128]
    for more in {}, {"min_compress_len": 400}:
        for value in values:
            check("set verb/rput/pylibmc-objects %.20r" % (value,), m.set("verb/rput/pylibmc-objects", value, time=600, **more), True)
        check("get verb/lrange/pylibmc-objects/4/4", m.get("verb/lrange/pylibmc-objects/4/4"), values[4])
        for value in values:
            popped = m.get("verb/lpop/pylibmc-objects")
            check("get verb/lpop/pylibmc-objects, %.20r" % (value,), (type(popped), popped == value), (type(value), True))
        check("get verb/lpop/pylibmc-objects, which is empty now", m.get("verb/lpop/pylibmc-objects"), None)
