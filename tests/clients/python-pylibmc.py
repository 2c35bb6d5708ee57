"""pylibmc: python-pylibmc.py <host:port> [binary [refused]]"""
import sys

import pylibmc
from checks import PASSWORD, PATIENCE, REFUSED, USERNAME, Checks

ADDRESS = sys.argv[1]
PACKETS = "binary" in sys.argv
PAST = 1_000_000_000 if PACKETS else -1  # the exptime of a packet has no sign
DOWN = pylibmc.UnknownReadFailure if PACKETS else pylibmc.ServerError  # for the status 0x86
NO_NUMBER = pylibmc.UnknownReadFailure if PACKETS else pylibmc.ClientError
BINARY = bytes(range(256)) + b"\r\nEND\r\n"
LARGE = b"x" * (1024 * 1024 - 512)
MANY = {f"many{i}": f"value {i}" for i in range(40)}

check = Checks("pylibmc", pylibmc.__version__)
client = pylibmc.Client(
    [ADDRESS],
    binary=PACKETS,  # False by default
    username=USERNAME,
    password=PASSWORD,
    behaviors={
        "tcp_nodelay": True,
        "cas": True,  # so that gets() gets the number that cas() takes
        # Every call to a proxy is answered within its --timeout, so time-outs (in ms) may be well above that.
        "connect_timeout": PATIENCE * 1000,
        "_poll_timeout": PATIENCE * 1000,
    },
)


def storage(key):
    check("get missing", None, client.get(key))
    check("get default", "default", client.get(key, "default"))
    if PACKETS:
        check.raises("replace missing", pylibmc.NotFound, lambda: client.replace(key, "x"))
    else:
        check("replace missing", False, client.replace(key, "x"))
    check("append missing", False, client.append(key, "x"))
    check("prepend missing", False, client.prepend(key, "x"))
    check("add", True, client.add(key, "first"))
    check("add again", False, client.add(key, "second"))
    check("get added", "first", client.get(key))
    check("replace", True, client.replace(key, "second"))
    check("append", True, client.append(key, " third"))
    check("prepend", True, client.prepend(key, "zeroth "))
    check("get appended", "zeroth second third", client.get(key))
    # No empty value: pylibmc 1.6.3, as Debian 13 builds it, aborts on reading one, from any server.
    for value in (BINARY, "Grüße, 世界", 17, True, {"list": [1, 2.5, None, "ü"]}, LARGE):
        check("set", True, client.set(key, value))
        check("get", value, client.get(key))
    check("set compressed", True, client.set(key, LARGE * 4, min_compress_len=100))
    check("get compressed", LARGE * 4, client.get(key))
    check("delete", True, client.delete(key))
    check("delete missing", False, client.delete(key))
    check("get deleted", None, client.get(key))


def cas(key):
    check("gets missing", (None, None), client.gets(key))
    check.raises("cas missing", pylibmc.NotFound, lambda: client.cas(key, "x", 1))
    check("set", True, client.set(key, "one"))
    value, unique = client.gets(key)
    check("gets", "one", value)
    check("cas", True, client.cas(key, "two", unique))
    check("cas conflict", False, client.cas(key, "three", unique))
    check("get swapped", "two", client.get(key))
    client.delete(key)


def numbers(key):
    check.raises("incr missing", pylibmc.NotFound, lambda: client.incr(key))
    check.raises("decr missing", pylibmc.NotFound, lambda: client.decr(key))
    check("set", True, client.set(key, 10))
    check("incr", 15, client.incr(key, 5))
    check("decr", 12, client.decr(key, 3))
    check("decr below 0", 0, client.decr(key, 100))
    check("set", True, client.set(key, 2**64 - 1))
    check("incr beyond 64 bits", 1, client.incr(key, 2))
    check("set", True, client.set(key, "no number"))
    check.raises("incr of no number", NO_NUMBER, lambda: client.incr(key))
    check("get after an error", "no number", client.get(key))
    client.delete(key)


def expiry(key):
    check("touch missing", False, client.touch(key, 10))
    check("set", True, client.set(key, "x", time=100))
    check("touch", True, client.touch(key, 200))
    check("get touched", "x", client.get(key))
    check("touch into the past", True, client.touch(key, PAST))
    check("get expired", None, client.get(key))
    check("set for a second", True, client.set(key, "x", time=1))
    check.eventually("get after a second", None, lambda: client.get(key))


def many():
    check("set_multi", [], client.set_multi(MANY))
    check("add_multi again", list(MANY), client.add_multi(MANY))
    check("get_multi", MANY, client.get_multi([*MANY, "nobody"]))
    check("delete_multi", True, client.delete_multi(list(MANY)))
    check("get_multi deleted", {}, client.get_multi(list(MANY)))
    check("set_multi with a prefix", [], client.set_multi(MANY, key_prefix="p"))
    check("get_multi with a prefix", MANY, client.get_multi(list(MANY), key_prefix="p"))
    numbers = dict.fromkeys(MANY, 10)
    client.set_multi(numbers)
    client.incr_multi(list(numbers), delta=7)
    check("get_multi after incr_multi", dict.fromkeys(MANY, 17), client.get_multi(list(MANY)))


def quiet(key):
    """In noreply mode the server is asked not to answer what stores, so that nothing can be said of it."""
    for behaviors in ({"_noreply": True}, {"_noreply": True, "no_block": True}):
        other = client.clone()
        other.behaviors.update(behaviors)
        other.set(key, "10")
        other.append(key, "0")
        other.prepend(key, "1")
        other.add(key, "no")
        check("get after noreply", "1100", other.get(key))
        other.delete(key)
        check("get after delete noreply", None, other.get(key))


def pools(key):
    for pool in (pylibmc.ThreadMappedPool(client), pylibmc.ClientPool(client, 2)):
        with pool.reserve() as pooled:
            pooled[key] = "pooled"
            check("get from a pool", "pooled", pooled[key])
            del pooled[key]
            check("missing from a pool", False, key in pooled)


def limits():
    for key in ("k" * 250, "k" * 249 + "l", "ключ"):
        check("set of an unusual key", True, client.set(key, "x"))
        check("get of an unusual key", "x", client.get(key))
    check.raises("a key of 251 bytes", ValueError, lambda: client.get("k" * 251))
    check("set", True, client.set("large", "small"))
    check.raises("set of a value too large", pylibmc.TooBig, lambda: client.set("large", LARGE * 2))
    check("get of a value too large", None, client.get("large"))
    check("get in step", "x", client.get("k" * 250))


def server():
    [(name, stats)] = client.get_stats()
    check("get_stats", f"{ADDRESS} (0)", name.decode())
    check("get_stats", True, stats["version"].startswith(b"1.6.") and int(stats["cmd_get"]) > 0)
    client.set_multi(MANY)
    check("flush_all", True, client.flush_all())
    check("get_multi flushed", {}, client.get_multi(list(MANY)))
    client.disconnect_all()
    check("get after disconnect_all", None, client.get("nobody"))


def freeze():
    """With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, and the others are served.

    Of several such errors to get(), one after the other, libmemcached gives only the first; pylibmc takes the others
    for misses. Whether a key is refused is therefore seen from writing it.
    """
    client.set_multi(MANY)
    if not check.frozen():
        return
    refused = []
    for key, value in MANY.items():
        try:
            got = client.get(key)
        except DOWN:
            got = None
        if got is None:
            refused.append(key)
            said = check.raises("add while frozen", DOWN, lambda: client.add(key, "x"))
            check("error while frozen", True, PACKETS or "upstream" in said)
        else:
            check("get while frozen", value, got)
            check("add while frozen", False, client.add(key, "x"))
    check("some keys refused while frozen", True, 0 < len(refused) < len(MANY))
    got = client.get_multi(list(MANY))
    check("get_multi while frozen", {key: MANY[key] for key in got if key not in refused}, got)
    check.thaw()
    check("get_multi when thawed", MANY, client.get_multi(list(MANY)))


def refused():
    said = check.raises("get with a wrong password", pylibmc.Error, lambda: client.get("kept"))
    check("error of get", True, "AUTHENTICATION FAILURE" in said or said)
    for operation, call in (("set", lambda: client.set("kept", "x")), ("delete", lambda: client.delete("kept"))):
        said = check.raises(f"{operation} with a wrong password", pylibmc.Error, call)
        check(f"error of {operation}", True, "DISABLED UNTIL TIMED RETRY" in said or said)  # it is not asked for a while
    check.done()
    sys.exit()


if REFUSED:
    refused()
client.flush_all()
for key in ("a", "b", "c", "d"):  # enough for two memcacheds to get some
    storage(key)
    cas(key)
    numbers(key)
    quiet(key)
    pools(key)
expiry("e")
many()
limits()
server()
freeze()
check.done()
