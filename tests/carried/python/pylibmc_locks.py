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
