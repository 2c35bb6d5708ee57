import pylibmc
from session import check


def delete(m, key):
    """In the binary protocol, the client raises an error for what is another's."""
    try:
        return m.delete(key)
    except pylibmc.DataExists:
        return False


def locks(m):
    check("add verb/lock/pylibmc-lock 'alice'", m.add("verb/lock/pylibmc-lock", "alice", time=30), True)
    check("add verb/lock/pylibmc-lock 'bob'", m.add("verb/lock/pylibmc-lock", "bob", time=30), False)
    check("touch verb/relock/pylibmc-lock/alice", m.touch("verb/relock/pylibmc-lock/alice", 60), True)
    check("touch verb/relock/pylibmc-lock/bob", m.touch("verb/relock/pylibmc-lock/bob", 60), False)
    check("delete verb/unlock/pylibmc-lock/bob", delete(m, "verb/unlock/pylibmc-lock/bob"), False)
    check("delete verb/unlock/pylibmc-lock/alice", m.delete("verb/unlock/pylibmc-lock/alice"), True)
    crawl = "verb/lock/pylibmc-crawl/holders/2"  # of two who may crawl at the same time
    check("add " + crawl + " 'w1'", m.add(crawl, "w1", time=30), True)
    check("add " + crawl + " 'w2'", m.add(crawl, "w2", time=30), True)
    check("add " + crawl + " 'w3'", m.add(crawl, "w3", time=30), False)
    check("add " + crawl + " 'w2' again", m.add(crawl, "w2", time=30), True)
    check("touch verb/relock/pylibmc-crawl/w2", m.touch("verb/relock/pylibmc-crawl/w2", 60), True)
    check("touch verb/relock/pylibmc-crawl/w3", m.touch("verb/relock/pylibmc-crawl/w3", 60), False)
    check("delete verb/unlock/pylibmc-crawl/w1", m.delete("verb/unlock/pylibmc-crawl/w1"), True)
    check("add " + crawl + " 'w3'", m.add(crawl, "w3", time=30), True)
