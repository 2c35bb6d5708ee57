"""Django's cache on memverbs: clear() of one version, families of keys deleted at once, locks and limits.

    CACHES = {
        "default": {
            "BACKEND": "memverbs_cache.MemverbsCache",
            "LOCATION": "127.0.0.1:11211",
            "KEY_PREFIX": "site",
        }
    }

The server is a memverbs with --verb-keys verb/ --namespaces 'site:*:', in which the star stands for the versions. It needs
memverbs.py, the adapter for Python.
"""

from typing import Any, Dict, Optional

from django.core.cache.backends.memcached import PyMemcacheCache
from django.utils.functional import cached_property

from memverbs import Lock, Verbs, word


class MemverbsCache(PyMemcacheCache):
    """Django's backend over pymemcache, whose keys are in a namespace for each version."""

    def __init__(self, server: Any, params: Dict[str, Any]) -> None:
        """Has pymemcache say that the server is down for as long as it is, and try it every second.

        By default it says for a while that nothing was found or stored, and leaves the server alone for a minute or two.
        """
        super().__init__(server, params)
        self._options = {"retry_attempts": 0, "dead_timeout": 1, **self._options}

    @cached_property
    def verbs(self) -> Verbs:
        """The verbs of the server, over the client of this thread."""
        return Verbs(self._cache)

    def clear(self, version: Optional[int] = None) -> None:
        """Hides what is cached under a version, the cache's own by default, and nothing else on the servers."""
        self.verbs.flush(self.make_key("", version=version))

    def delete_prefix(self, prefix: str, version: Optional[int] = None) -> None:
        """Hides all keys that begin with a prefix for which memverbs has a namespace, such as site:1:page: for "page:"."""
        self.verbs.flush(self.make_key(prefix, version=version))

    def lock(self, name: str, seconds: int, holders: int = 1) -> Lock:
        """A lock of all processes: `with cache.lock("report", 30): …` raises LockHeld if another has it."""
        return self.verbs.lock(self._structure(name), seconds, holders)

    def allow(self, name: str, count: int, seconds: int, n: int = 1) -> bool:
        """Counts n more if so many are allowed in any interval of so many seconds, and returns whether they are."""
        return self.verbs.limit(self._structure(name), count, seconds).allow(n)

    def _structure(self, name: str) -> str:
        """The key of a lock or a limit, outside of the namespaces of items, in which there are no verbs."""
        return "structure:" + word(self.make_key(name))
