from session import check


def locks(m):
    check("add verb/lock/pymemcache-lock 'alice'", m.add("verb/lock/pymemcache-lock", "alice", expire=30), True)
    check("add verb/lock/pymemcache-lock 'bob'", m.add("verb/lock/pymemcache-lock", "bob", expire=30), False)
    check("touch verb/relock/pymemcache-lock/alice", m.touch("verb/relock/pymemcache-lock/alice", 60), True)
    check("touch verb/relock/pymemcache-lock/bob", m.touch("verb/relock/pymemcache-lock/bob", 60), False)
    check("delete verb/unlock/pymemcache-lock/bob", m.delete("verb/unlock/pymemcache-lock/bob"), False)
    check("delete verb/unlock/pymemcache-lock/alice", m.delete("verb/unlock/pymemcache-lock/alice"), True)
    crawl = "verb/lock/pymemcache-crawl/holders/2"  # of two who may crawl at the same time
    check("add " + crawl + " 'w1'", m.add(crawl, "w1", expire=30), True)
    check("add " + crawl + " 'w2'", m.add(crawl, "w2", expire=30), True)
    check("add " + crawl + " 'w3'", m.add(crawl, "w3", expire=30), False)
    check("add " + crawl + " 'w2' again", m.add(crawl, "w2", expire=30), True)
    check("touch verb/relock/pymemcache-crawl/w2", m.touch("verb/relock/pymemcache-crawl/w2", 60), True)
    check("touch verb/relock/pymemcache-crawl/w3", m.touch("verb/relock/pymemcache-crawl/w3", 60), False)
    check("delete verb/unlock/pymemcache-crawl/w1", m.delete("verb/unlock/pymemcache-crawl/w1"), True)
    check("add " + crawl + " 'w3'", m.add(crawl, "w3", expire=30), True)
