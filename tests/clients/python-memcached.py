"""python-memcached: python-memcached.py <host:port>"""
import sys
from importlib.metadata import version

import memcache
from checks import Checks

ADDRESS = sys.argv[1]
BINARY = bytes(range(256)) + b"\r\nEND\r\n"
LARGE = b"x" * (1024 * 1024 - 512)
MANY = {f"many{i}": f"value {i}" for i in range(40)}

check = Checks("python-memcached", version("python-memcached"))
client = memcache.Client(
    [ADDRESS],
    cache_cas=True,  # else cas() is a set()
    server_max_value_length=0,  # leave it to the server to say what is too large, so that this is tried too
    # Every call to a proxy is answered within its --timeout, so this may be well above that. It is also how long a
    # get_multi() takes that the proxy answers with an error, since the client then waits for an END.
    socket_timeout=5,
    # The client takes such an answer for the death of its server, and there is only one: the proxy.
    dead_retry=0,
)


def storage(key):
    check("get missing", None, client.get(key))
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
    for value in (b"", BINARY, "Grüße, 世界", 17, {"list": [1, 2.5, None, "ü"]}, LARGE):
        check("set", True, client.set(key, value))
        check("get", value, client.get(key))
    check("set compressed", True, client.set(key, {"large": LARGE * 4}, min_compress_len=100))
    check("get compressed", {"large": LARGE * 4}, client.get(key))
    check("delete", 1, client.delete(key))
    client.delete(key)  # returns 1 or 0, depending on the version
    check("get deleted", None, client.get(key))


def cas(key):
    check("gets missing", None, client.gets(key))
    check("set", True, client.set(key, "one"))
    check("gets", "one", client.gets(key))
    check("cas", True, client.cas(key, "two"))
    check("cas conflict", False, client.cas(key, "three"))
    check("get swapped", "two", client.get(key))
    client.delete(key)
    check("cas missing", False, client.cas(key, "three"))


def numbers(key):
    check("incr missing", None, client.incr(key))
    check("decr missing", None, client.decr(key))
    check("set", True, client.set(key, 10))
    check("incr", 15, client.incr(key, 5))
    check("decr", 12, client.decr(key, 3))
    check("decr below 0", 0, client.decr(key, 100))
    check("set", True, client.set(key, 2**64 - 1))
    check("incr beyond 64 bits", 1, client.incr(key, 2))
    check("set", True, client.set(key, "no number"))
    check.raises("incr of no number", ValueError, lambda: client.incr(key))
    check("get after an error", "no number", client.get(key))
    client.delete(key)


def expiry(key):
    check("touch missing", 0, client.touch(key, 10))
    check("set", True, client.set(key, "x", time=100))
    check("touch", 1, client.touch(key, 200))
    check("get touched", "x", client.get(key))
    check("touch into the past", 1, client.touch(key, -1))
    check("get expired", None, client.get(key))
    check("set for a second", True, client.set(key, "x", time=1))
    check.eventually("get after a second", None, lambda: client.get(key))


def quiet(key):
    client.set(key, 10, noreply=True)
    client.add(key, 99, noreply=True)
    client.incr(key, 5, noreply=True)
    client.decr(key, 3, noreply=True)
    client.touch(key, 100, noreply=True)
    check("get after noreply", 12, client.get(key))
    client.replace(key, "no number", noreply=True)
    client.append(key, "!", noreply=True)
    client.prepend(key, "still ", noreply=True)
    client.incr(key, noreply=True)  # an error, which is not to be said
    check("gets after a quiet error", "still no number!", client.gets(key))
    client.cas(key, "swapped", noreply=True)
    client.cas(key, "not swapped", noreply=True)
    check("get after cas noreply", "swapped", client.get(key))
    client.delete(key, noreply=True)
    check("get after delete noreply", None, client.get(key))
    client.set_multi(MANY, noreply=True)
    check("get_multi after set_multi noreply", MANY, client.get_multi(MANY))
    client.delete_multi(MANY, noreply=True)
    check("get_multi after delete_multi noreply", {}, client.get_multi(MANY))


def many():
    check("set_multi", [], client.set_multi(MANY))
    check("get_multi", MANY, client.get_multi([*MANY, "nobody"]))
    check("delete_multi", 1, client.delete_multi([*MANY, "nobody"]))
    check("get_multi deleted", {}, client.get_multi(MANY))
    check("set_multi with a prefix", [], client.set_multi(MANY, key_prefix="p"))
    check("get_multi with a prefix", MANY, client.get_multi(MANY, key_prefix="p"))


def limits():
    for key in ("k" * 250, "k" * 249 + "l", "ключ"):
        check("set of an unusual key", True, client.set(key, "x"))
        check("get of an unusual key", "x", client.get(key))
    check.raises("a key of 251 bytes", memcache.Client.MemcachedKeyLengthError, lambda: client.get("k" * 251))
    check("set", True, client.set("large", "small"))
    check("set of a value too large", False, client.set("large", LARGE * 2))
    check("get of a value too large", None, client.get("large"))
    client.set("large", LARGE * 2, noreply=True)
    check("get in step", "x", client.get("k" * 250))


def server():
    [(name, stats)] = client.get_stats()
    check("get_stats", f"{ADDRESS} (1)", name)
    check("get_stats", True, stats["version"].startswith("1.6.") and int(stats["cmd_get"]) > 0)
    client.set_multi(MANY)
    client.flush_all()
    check("get_multi flushed", {}, client.get_multi(MANY))
    client.disconnect_all()
    check("get after disconnect_all", None, client.get("nobody"))


def freeze():
    """With one of two memcacheds frozen its keys are, to this client, missing, and the others are served."""
    client.set_multi(MANY)
    if not check.frozen():
        return
    got = {key: client.get(key) for key in MANY}
    served = {key: value for key, value in got.items() if value is not None}
    check("some keys served while frozen", True, 0 < len(served) < len(MANY))
    check("get while frozen", {key: MANY[key] for key in served}, served)
    refused = [key for key in MANY if key not in served]
    check("add while frozen", False, bool(client.add(refused[0], "x")))  # a refused set would have the key deleted when thawed
    check.raises("incr while frozen", ValueError, lambda: client.incr(refused[0]))
    client.get_multi(MANY)  # gives what has come before the error, none of it if the client's patience ended first
    check.thaw()
    check("get_multi when thawed", MANY, client.get_multi(MANY))


client.flush_all()
for key in ("a", "b", "c", "d"):  # enough for two memcacheds to get some
    storage(key)
    cas(key)
    numbers(key)
    quiet(key)
expiry("e")
many()
limits()
server()
freeze()
check.done()
