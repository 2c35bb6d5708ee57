"""Sets and event logs from pylibmc: python-pylibmc.py HOST PORT"""
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
print("ok")
