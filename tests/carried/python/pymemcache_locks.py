from session import check


def locks(m):
    check("add verb/lock/pymemcache-lock 'alice'", m.add("verb/lock/pymemcache-lock", "alice", expire=30), True)
    check("add verb/lock/pymemcache-lock 'bob'", m.add("verb/lock/pymemcache-lock", "bob", expire=30), False)
    check("touch verb/relock/pymemcache-lock/alice", m.touch("verb/relock/pymemcache-lock/alice", 60), True)
    check("touch verb/relock/pymemcache-lock/bob", m.touch("verb/relock/pymemcache-lock/bob", 60), False)
    check("delete verb/unlock/pymemcache-lock/bob", m.delete("verb/unlock/pymemcache-lock/bob"), False)
    check("delete verb/unlock/pymemcache-lock/alice", m.delete("verb/unlock/pymemcache-lock/alice"), True)
