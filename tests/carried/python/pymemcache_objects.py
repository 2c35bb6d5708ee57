import datetime
import os
import zlib

from pymemcache.client.base import Client
from pymemcache.exceptions import MemcacheServerError
from pymemcache.serde import PickleSerde
from session import check


class Compressed:
    """Pickles values, and compresses what is long, as newer versions of pymemcache can by themselves."""

    def __init__(self):
        self.pickled = PickleSerde()

    def serialize(self, key, value):
        value, flags = self.pickled.serialize(key, value)
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes) and len(value) > 400:
            return zlib.compress(value), flags | 8
        return value, flags

    def deserialize(self, key, value, flags):
        if flags & 8:
            value = zlib.decompress(value)
        return self.pickled.deserialize(key, value, flags & ~8)


def objects(server):
    """Elements of a list that the client pickles or compresses."""
    values = ["two words", b"\x00\r\n\xff ", 42, {"to": "alice", "of": [1, None]}, datetime.date(2026, 11, 27), "long " * 5000, b"", "", b"x", bytes(range(256)), bytes(range(256)) * 128]
    for serde in PickleSerde(), PickleSerde(pickle_version=2), Compressed():
        m = Client(server, default_noreply=False, serde=serde)
        for value in values:
            check("set verb/rput/pymemcache-objects %.20r" % (value,), m.set("verb/rput/pymemcache-objects", value, expire=600), True)
        check("get verb/lrange/pymemcache-objects/3/3", m.get("verb/lrange/pymemcache-objects/3/3"), values[3])
        pages = {"verb/lrange/pymemcache-objects/%d/%d" % (n, n): n for n in (0, 3, 50)}
        check("get_many of a page", m.get_many(list(pages)), {key: values[n] for key, n in pages.items() if n < len(values)})
        for value in values:
            popped = m.get("verb/lpop/pymemcache-objects")
            check("get verb/lpop/pymemcache-objects, %.20r" % (value,), (type(popped), popped == value), (type(value), True))
        check("get verb/lpop/pymemcache-objects, which is empty now", m.get("verb/lpop/pymemcache-objects"), None)
    check("set verb/rput/pymemcache-objects, a byte too long", refused(lambda: m.set("verb/rput/pymemcache-objects", os.urandom(32769))), True)


def refused(call):
    try:
        return not call()
    except MemcacheServerError:
        return True
