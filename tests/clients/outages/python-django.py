"""Django's cache, over pymemcache: python-django.py <host:port>"""
import sys

from django.conf import settings
from lines import serve

settings.configure(CACHES={"default": {
    "BACKEND": "django.core.cache.backends.memcached.PyMemcacheCache",
    "LOCATION": sys.argv[1],
    "KEY_FUNCTION": lambda key, prefix, version: key,  # so that the keys are those of the test
    "OPTIONS": {"timeout": 20, "connect_timeout": 20},
}})
from django.core.cache import cache
from pymemcache import MemcacheError


def store(key, value):
    cache.set(key, value)  # raises an error if that is refused
    return True


serve(store, cache.get, cache.get_many, MemcacheError)
