"""Django's cache, over pymemcache and over pylibmc: python-django.py <host:port>"""
import sys

from checks import PATIENCE, Checks
from django import __version__
from django.conf import settings

settings.configure(CACHES={
    "default": {
        "BACKEND": "django.core.cache.backends.memcached.PyMemcacheCache",
        "LOCATION": sys.argv[1],
        # Every call to a proxy is answered within its --timeout, so time-outs may be well above that.
        "OPTIONS": {"timeout": PATIENCE, "connect_timeout": PATIENCE},
    },
    "pylibmc": {
        "BACKEND": "django.core.cache.backends.memcached.PyLibMCCache",
        "LOCATION": sys.argv[1],
        "OPTIONS": {"behaviors": {"receive_timeout": PATIENCE * 1000000, "send_timeout": PATIENCE * 1000000}},
    },
})
from django.core.cache import caches
from django.core.cache.backends.base import InvalidCacheKey

LARGE = "x" * (1024 * 1024 - 512)
MANY = {f"many{i}": f"value {i}" for i in range(40)}
MONTHS = 90 * 24 * 60 * 60  # sent as a point in time

check = Checks("Django", __version__)


def storage(cache, key):
    check("get missing", None, cache.get(key))
    check("get default", "default", cache.get(key, "default"))
    check("add", True, cache.add(key, "first"))
    check("add again", False, cache.add(key, "second"))
    check("get added", "first", cache.get(key))
    for value in ("", bytes(range(256)), "Grüße, 世界", 17, True, {"list": [1, 2.5, None, "ü"]}, LARGE):
        cache.set(key, value)
        check("get", value, cache.get(key))
    cache.set(key, "of version 2", version=2)
    check("get of a version", "of version 2", cache.get(key, version=2))
    check("has_key", True, key in cache)
    check("get_or_set", "made", cache.get_or_set(key + "-made", "made"))
    check("delete", True, cache.delete(key))
    check("delete missing", False, cache.delete(key))
    check("get deleted", None, cache.get(key))


def numbers(cache, key):
    check.raises("incr missing", ValueError, lambda: cache.incr(key))
    cache.set(key, 10)
    check("incr", 15, cache.incr(key, 5))
    check("decr", 12, cache.decr(key, 3))
    cache.set(key, "no number")
    check.raises("incr of no number", Exception, lambda: cache.incr(key))
    check("get after an error", "no number", cache.get(key))


def expiry(cache, key):
    check("touch missing", False, cache.touch(key, 10))
    cache.set(key, "x", MONTHS)
    check("get after a set for months", "x", cache.get(key))
    check("touch for months", True, cache.touch(key, MONTHS))
    check("get touched", "x", cache.get(key))
    cache.set(key, "x", None)
    check("get of what never expires", "x", cache.get(key))
    cache.set(key, "x", 1)
    check.eventually("get after a second", None, lambda: cache.get(key))
    cache.set(key, "x", 0)
    check("get after a set for no time", None, cache.get(key))


def many(cache):
    check("set_many", [], cache.set_many(MANY))
    check("get_many", MANY, cache.get_many([*MANY, "nobody"]))
    cache.delete_many([*MANY, "nobody"])
    check("get_many deleted", {}, cache.get_many(list(MANY)))


def limits(cache):
    for key in ("k" * 247, "k" * 246 + "l"):  # and the prefix, :1:
        cache.set(key, "x")
        check("get of a key of 250 bytes", "x", cache.get(key))
    check.raises("a key of 251 bytes", InvalidCacheKey, lambda: cache.get("k" * 248))
    check.raises("set of a value too large", Exception, lambda: cache.set("large", LARGE * 2))
    check("get of a value too large", None, cache.get("large"))
    cache.set_many(MANY)
    cache.clear()
    check("get_many cleared", {}, cache.get_many(list(MANY)))


def frozen(cache):
    """The keys of a frozen memcached get the proxy's SERVER_ERROR, and the others are served."""
    served = 0
    for key, value in MANY.items():
        try:
            got = cache.get(key)
        except Exception:
            continue
        if got is not None:  # over pylibmc, a refusal may look like a miss
            check("get while frozen", value, got)
            served += 1
    check("some keys served while frozen", True, 0 < served < len(MANY))


for cache in caches["default"], caches["pylibmc"]:
    cache.clear()
    for key in ("a", "b", "c", "d"):  # enough for two memcacheds to get some
        storage(cache, key)
        numbers(cache, key)
    expiry(cache, "e")
    many(cache)
    limits(cache)
caches["default"].set_many(MANY)
if check.frozen():
    for cache in caches["default"], caches["pylibmc"]:
        frozen(cache)
    check.thaw()
    check("get_many when thawed", MANY, caches["default"].get_many(list(MANY)))
check.done()
