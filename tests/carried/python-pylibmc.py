"""Sets, event logs and locks from pylibmc: python-pylibmc.py HOST PORT"""
import sys

import pylibmc
from session import check, events

m = pylibmc.Client(["%s:%s" % tuple(sys.argv[1:3])])

check("set verb/sadd/pylibmc 'apple pear plum'", m.set("verb/sadd/pylibmc", "apple pear plum", time=600), True)
check("set verb/srem/pylibmc 'pear'", m.set("verb/srem/pylibmc", "pear"), True)
check("get verb/smembers/pylibmc", m.get("verb/smembers/pylibmc"), b"apple plum")
check("get verb/scard/pylibmc", m.get("verb/scard/pylibmc"), b"2")
check(
    "get_multi of two verbs and a key",
    m.get_multi(["verb/sismember/pylibmc/apple", "verb/sismember/pylibmc/pear", "none"]),
    {"verb/sismember/pylibmc/apple": b"1", "verb/sismember/pylibmc/pear": b"0"},
)
check("set verb/srem/none", m.set("verb/srem/none", "a"), False)
check("get verb/smembers/none", m.get("verb/smembers/none"), None)
check("set verb/logput/pylibmc-log 'logged in'", m.set("verb/logput/pylibmc-log", "logged in"), True)
check("set verb/logput/pylibmc-log 'logged out'", m.set("verb/logput/pylibmc-log", "logged out"), True)
check("get verb/logfetch/pylibmc-log", events(m.get("verb/logfetch/pylibmc-log")), [b"logged in", b"logged out"])
check("add verb/lock/pylibmc-lock 'alice'", m.add("verb/lock/pylibmc-lock", "alice", time=30), True)
check("add verb/lock/pylibmc-lock 'bob'", m.add("verb/lock/pylibmc-lock", "bob", time=30), False)
check("touch verb/relock/pylibmc-lock/alice", m.touch("verb/relock/pylibmc-lock/alice", 60), True)
check("touch verb/relock/pylibmc-lock/bob", m.touch("verb/relock/pylibmc-lock/bob", 60), False)
check("delete verb/unlock/pylibmc-lock/bob", m.delete("verb/unlock/pylibmc-lock/bob"), False)
check("delete verb/unlock/pylibmc-lock/alice", m.delete("verb/unlock/pylibmc-lock/alice"), True)
print("ok")
