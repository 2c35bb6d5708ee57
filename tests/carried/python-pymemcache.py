"""Sets, event logs and locks from pymemcache: python-pymemcache.py HOST PORT"""
import sys

from pymemcache.client.base import Client
from pymemcache.exceptions import MemcacheClientError
from session import check, events

m = Client((sys.argv[1], int(sys.argv[2])), default_noreply=False)

check("set verb/sadd/pymemcache 'apple pear plum'", m.set("verb/sadd/pymemcache", "apple pear plum", expire=600), True)
check("set verb/srem/pymemcache 'pear', noreply", m.set("verb/srem/pymemcache", "pear", noreply=True), True)
check("get verb/smembers/pymemcache", m.get("verb/smembers/pymemcache"), b"apple plum")
check(
    "get_many of three verbs and a key",
    m.get_many(["verb/scard/pymemcache", "verb/sismember/pymemcache/apple", "verb/sismember/pymemcache/pear", "none"]),
    {"verb/scard/pymemcache": b"2", "verb/sismember/pymemcache/apple": b"1", "verb/sismember/pymemcache/pear": b"0"},
)
check("gets has the CAS id of the set's item", m.gets("verb/smembers/pymemcache")[1], m.gets("pymemcache")[1])
check("set verb/srem/none", m.set("verb/srem/none", "a"), False)
check("get verb/smembers/none", m.get("verb/smembers/none"), None)
try:
    refused = m.set("verb/scard/pymemcache", "1")
except MemcacheClientError as e:
    refused = str(e)
check("set verb/scard/pymemcache", "scard is carried by get" in refused, True)
check("set verb/logput/pymemcache-log 'logged in'", m.set("verb/logput/pymemcache-log", "logged in"), True)
check("set verb/logput/pymemcache-log 'logged out'", m.set("verb/logput/pymemcache-log", "logged out"), True)
check("get verb/logfetch/pymemcache-log", events(m.get("verb/logfetch/pymemcache-log")), [b"logged in", b"logged out"])
check("add verb/lock/pymemcache-lock 'alice'", m.add("verb/lock/pymemcache-lock", "alice", expire=30), True)
check("add verb/lock/pymemcache-lock 'bob'", m.add("verb/lock/pymemcache-lock", "bob", expire=30), False)
check("touch verb/relock/pymemcache-lock/alice", m.touch("verb/relock/pymemcache-lock/alice", 60), True)
check("touch verb/relock/pymemcache-lock/bob", m.touch("verb/relock/pymemcache-lock/bob", 60), False)
check("delete verb/unlock/pymemcache-lock/bob", m.delete("verb/unlock/pymemcache-lock/bob"), False)
check("delete verb/unlock/pymemcache-lock/alice", m.delete("verb/unlock/pymemcache-lock/alice"), True)
print("ok")
