"""Runs Django's own tests of its backend over pymemcache on memverbs_cache.py. tests/fetch-clients.sh gets them."""

import pathlib
import sys
import unittest

import django

BACKEND = "django.core.cache.backends.memcached.PyMemcacheCache"  # the tests take the cache in the settings that has this
SETTINGS = {  # besides the caches: the tests cache models, which have a database in memory
    "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
    "INSTALLED_APPS": ["cache"],
}
TESTS = pathlib.Path(__file__).resolve().parents[4] / ".cache" / f"django-{django.get_version()}"


def run():
    """Returns how many tests were run, whether none failed, and which were skipped. What fails is told on standard error."""
    sys.path.append(str(TESTS))
    django.setup()

    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    runner.setup_test_environment()
    databases = runner.setup_databases()
    try:
        result = runner.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(_tests()))
    finally:
        runner.teardown_databases(databases)
        runner.teardown_test_environment()
    return result.testsRun, result.wasSuccessful(), result.skipped


def _tests():
    """The tests, but for those that are left out, of MemverbsCache under the name of Django's backend."""
    from django.core.cache import cache
    from django.core.cache.backends import memcached

    from cache import tests
    from memverbs_cache import MemverbsCache

    memcached.PyMemcacheCache = MemverbsCache

    class Tests(tests.PyMemcacheCacheTests):
        # Django skips these for all memcacheds, which cull by themselves.
        test_cull = test_zero_cull = test_cull_delete_when_store_empty = None
        # In these an item of one second, or of five, has to be there still, which it is not if the machine stalls.
        test_touch = test_forever_timeout = test_zero_timeout = None
        # These sleep until items have expired by the clock of memcached, which may be late if the machine stalls.
        test_expiration = test_set_many_expiration = None

        def tearDown(self):
            """Clears each version that the tests use. Django's do so by one clear(), which empties the servers there."""
            for version in 1, 2, 3:
                cache.clear(version=version)

    return Tests
