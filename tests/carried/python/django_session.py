"""A session of Django's cache, over pymemcache and over pylibmc: python3 django_session.py HOST PORT"""
import sys

from django.conf import settings

server = "%s:%s" % (sys.argv[1], sys.argv[2])
backends = {"default": "PyMemcacheCache", "pylibmc": "PyLibMCCache"}
settings.configure(CACHES={
    name: {
        "BACKEND": "django.core.cache.backends.memcached." + backend,
        "LOCATION": server,
        "KEY_FUNCTION": lambda key, prefix, version: key,  # or --verb-keys :1:verb/
    }
    for name, backend in backends.items()
})
from django.core.cache import caches
from session import check, taken

MONTHS = 90 * 24 * 60 * 60  # Django sends it as a point in time

for name in backends:
    m = caches[name]
    print(type(m).__name__)
    at = "django-" + name
    check("set verb/sadd/… 'apple pear'", m.set("verb/sadd/" + at, "apple pear", 600), None)
    check("set verb/srem/… 'pear'", m.set("verb/srem/" + at, "pear"), None)
    check("set verb/srem/none 'pear', after which Django deletes that key", m.set("verb/srem/none", "pear"), None)
    check("get verb/smembers/…", m.get("verb/smembers/" + at), b"apple")
    check("set verb/rpush/…-list 'x'", m.set("verb/rpush/%s-list" % at, "x", MONTHS), None)
    check("get verb/lpop/…-list", m.get("verb/lpop/%s-list" % at), b"x")
    check("get verb/lpop/…-list, which is empty now", m.get("verb/lpop/%s-list" % at), None)
    try:
        m.set("verb/sadd/" + at, ["kiwi", "plum"])
        refused = False
    except Exception:
        refused = True
    check("a list as a value, refused", (refused, m.get("verb/smembers/" + at)), (True, b"apple"))

    posts = [{"title": "Hi there", "tags": ["new", None]}, "two words", 42, b"\x00 \r\n", "long " * 5000, "", "x", b"x", bytes(range(256)), bytes(range(256)) * 128]
    for post in posts:
        check("set verb/rput/…-posts", m.set("verb/rput/%s-posts" % at, post, MONTHS), None)
    check("get verb/lrange/…-posts/0/0", m.get("verb/lrange/%s-posts/0/0" % at), posts[0])
    check("get verb/lpop/…-posts", [m.get("verb/lpop/%s-posts" % at) for _ in posts], posts)
    check("get verb/lpop/…-posts, which is empty now", m.get("verb/lpop/%s-posts" % at), None)

    check("set verb/hset/…-table/hits 41", m.set("verb/hset/%s-table/hits" % at, 41, MONTHS), None)
    check("incr verb/hincr/…-table/hits", m.incr("verb/hincr/%s-table/hits" % at), 42)
    check("set verb/hset/…-table/tags", m.set("verb/hset/%s-table/tags" % at, ["new", "paid"]), None)
    check("get verb/hget/…-table/tags", m.get("verb/hget/%s-table/tags" % at), ["new", "paid"])
    check("delete verb/hdel/…-table/tags", m.delete("verb/hdel/%s-table/tags" % at), True)

    check("set verb/taskput/…-tasks/a/0", m.set("verb/taskput/%s-tasks/a/0" % at, "Alice"), None)
    value = m.get("verb/tasktake/%s-tasks/30" % at)
    [(task, _, data, stamp)] = taken(value)
    check("get verb/tasktake/…-tasks/30", (task, data), (b"a", b"Alice"))
    check("touch verb/taskkeep/…, for months", m.touch("verb/taskkeep/%s-tasks/%s" % (at, stamp), MONTHS), True)
    check("delete verb/taskdone/…", m.delete("verb/taskdone/%s-tasks/%s" % (at, stamp)), True)

    check("add verb/lock/…", m.add("verb/lock/job-" + at, "alice", 30), True)
    check("add verb/lock/…, another", m.add("verb/lock/job-" + at, "bob", 30), False)
    check("touch verb/relock/…, until a time that is over", m.touch("verb/relock/job-%s/alice" % at, -1), True)
    check("add verb/lock/…, another", m.add("verb/lock/job-" + at, "bob", 30), True)
    check("delete verb/unlock/…", m.delete("verb/unlock/job-%s/bob" % at), True)
print("ok")
