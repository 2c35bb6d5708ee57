import sys

from django.conf import settings

LOCATION = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:11211"
CACHES = {
    "default": {
        "BACKEND": "families.FamilyCache",
        "LOCATION": LOCATION,
        "KEY_PREFIX": "shop",
    },
}
settings.configure(CACHES=CACHES)

from django.core.cache import cache

cache.set("Anne", "about Anne")
cache.set("Anne", "about Anne, newer", version=2)
cache.clear()
print(cache.get("Anne"), cache.get("Anne", version=2))
cache.set("Anne", "more about Anne")
print(cache.get("Anne"))
cache.clear(version=2)
print(cache.get("Anne"), cache.get("Anne", version=2))
