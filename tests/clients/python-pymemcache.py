"""pymemcache with all its clients: python-pymemcache.py <host:port> [refused]"""
import ssl
import sys

from checks import CA, PASSWORD, PATIENCE, REFUSED, USERNAME, Checks
from pymemcache import Client, HashClient, PooledClient, __version__, serde
from pymemcache.client.retrying import RetryingClient
from pymemcache.exceptions import MemcacheClientError, MemcacheIllegalInputError, MemcacheServerError

ADDRESS = sys.argv[1]
BINARY = bytes(range(256)) + b"\r\nEND\r\n"
LARGE = b"x" * (1024 * 1024 - 512)
MANY = {f"many{i}": b"value %d" % i for i in range(40)}

check = Checks("pymemcache", __version__)


class LoginClient(Client):
    """Shows the user and the password on each new connection, by a set, whose key does not matter."""

    def _connect(self):
        super()._connect()
        try:
            self.set("login", f"{USERNAME} {PASSWORD}", noreply=False)
        except Exception:
            self.close()
            raise


class LoginPooledClient(PooledClient):
    client_class = LoginClient


class LoginHashClient(HashClient):
    client_class = LoginClient


def storage(client, key):
    check("get missing", None, client.get(key))
    check("get default", "default", client.get(key, "default"))
    check("replace missing", False, client.replace(key, b"x"))
    check("append missing", False, client.append(key, b"x"))
    check("prepend missing", False, client.prepend(key, b"x"))
    check("add", True, client.add(key, b"first"))
    check("add again", False, client.add(key, b"second"))
    check("get added", b"first", client.get(key))
    check("replace", True, client.replace(key, b"second"))
    check("append", True, client.append(key, b" third"))
    check("prepend", True, client.prepend(key, b"zeroth "))
    check("get appended", b"zeroth second third", client.get(key))
    for value in (b"", BINARY, "Grüße, 世界".encode(), LARGE):
        check("set", True, client.set(key, value))
        check("get set", value, client.get(key))
    check("delete", True, client.delete(key))
    check("delete missing", False, client.delete(key))
    check("get deleted", None, client.get(key))


def cas(client, key):
    check("gets missing", (None, None), client.gets(key, None, None) if isinstance(client, Client) else client.gets(key))
    check("cas missing", None, client.cas(key, b"x", b"1"))
    check("set", True, client.set(key, b"one"))
    value, unique = client.gets(key)
    check("gets", b"one", value)
    check("cas", True, client.cas(key, b"two", unique))
    check("cas conflict", False, client.cas(key, b"three", unique))
    check("get swapped", b"two", client.get(key))
    check("gets_many", {key: b"two"}, {k: v for k, (v, _) in client.gets_many([key]).items()})
    client.delete(key)


def numbers(client, key):
    check("incr missing", None, client.incr(key, 1))
    check("decr missing", None, client.decr(key, 1))
    check("set", True, client.set(key, b"10"))
    check("incr", 15, client.incr(key, 5))
    check("decr", 12, client.decr(key, 3))
    check("decr below 0", 0, client.decr(key, 100))
    check("set", True, client.set(key, b"18446744073709551615"))
    check("incr beyond 64 bits", 1, client.incr(key, 2))
    check("set", True, client.set(key, b"no number"))
    check.raises("incr of no number", MemcacheClientError, lambda: client.incr(key, 1))
    check("get after an error", b"no number", client.get(key))
    client.delete(key)


def expiry(client, key):
    check("touch missing", False, client.touch(key, 10))
    check("set", True, client.set(key, b"x", expire=100))
    check("touch", True, client.touch(key, 200))
    check("get touched", b"x", client.get(key))
    check("touch into the past", True, client.touch(key, -1))
    check("get expired", None, client.get(key))
    check("set for a second", True, client.set(key, b"x", expire=1))
    check.eventually("get after a second", None, lambda: client.get(key))


def quiet(client, key):
    client.set(key, b"10", noreply=True)
    client.add(key, b"no", noreply=True)
    client.append(key, b"0", noreply=True)
    client.prepend(key, b"1", noreply=True)
    client.incr(key, 5, noreply=True)
    client.decr(key, 3, noreply=True)
    client.touch(key, 100, noreply=True)
    client.cas(key, b"no", b"1", noreply=True)
    check("get after noreply", b"1102", client.get(key))
    client.replace(key, b"no number", noreply=True)
    client.incr(key, 1, noreply=True)  # an error, which is not to be said
    check("get after a quiet error", b"no number", client.get(key))
    client.delete(key, noreply=True)
    check("get after delete noreply", None, client.get(key))


def many(client):
    check("set_many", [], client.set_many(MANY))
    check("get_many", MANY, client.get_many([*MANY, "nobody"]))
    check("delete_many", True, client.delete_many([*MANY, "nobody"], noreply=False))
    check("get_many deleted", {}, client.get_many(list(MANY)))


def limits(client):
    for key in ("k" * 250, "k" * 249 + "l"):
        check("set of a key of 250 bytes", True, client.set(key, b"x"))
        check("get of a key of 250 bytes", b"x", client.get(key))
    check.raises("a key of 251 bytes", MemcacheIllegalInputError, lambda: client.get("k" * 251))
    check("set", True, client.set("large", b"small"))
    said = check.raises("set of a value too large", MemcacheServerError, lambda: client.set("large", LARGE * 2))
    check("set of a value too large", "object too large for cache", said.strip("b'"))
    check("get of a value too large", None, client.get("large"))
    client.set("large", LARGE * 2, noreply=True)
    check("get in step", b"x", client.get("k" * 250))


def server(client):
    check("version", True, client.version().startswith(b"1.6."))
    stats = client.stats()
    check("stats", True, stats[b"version"].startswith(b"1.6.") and int(stats[b"cmd_get"]) > 0)
    check("version after stats", True, client.version().startswith(b"1.6."))
    client.quit()
    check("get after quit", None, client.get("nobody"))


def flush(client):
    client.set_many(MANY)
    check("flush_all", None if isinstance(client, HashClient) else True, client.flush_all(noreply=False))
    check("get_many flushed", {}, client.get_many(list(MANY)))


def freeze(client):
    """With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, and the others are served."""
    client.set_many(MANY)
    if not check.frozen():
        return
    refused = 0
    for key, value in MANY.items():
        try:
            check("get while frozen", value, client.get(key))
        except MemcacheServerError as e:
            check("error while frozen", True, "upstream" in str(e))
            refused += 1
    check("some keys refused while frozen", True, 0 < refused < len(MANY))
    check.raises("get_many while frozen", MemcacheServerError, lambda: client.get_many(list(MANY)))
    check.thaw()
    check("get_many when thawed", MANY, client.get_many(list(MANY)))


def serialised(client):
    for value in ({"list": [1, 2.5, None, "ü"]}, "Grüße, 世界", 17, b"bytes", "x" * len(LARGE)):
        check("set of an object", True, client.set("object", value))
        check("get of an object", value, client.get("object"))


def refused(client):
    for operation, call in (
        ("set", lambda: client.set("kept", b"x")),
        ("delete", lambda: client.delete("kept")),
        ("flush_all", lambda: client.flush_all(noreply=False)),
    ):
        said = check.raises(f"{operation} with a wrong password", MemcacheClientError, call)
        check(f"error of {operation}", "authentication failure", said.strip("b'"))
    check.done()
    sys.exit()


# Every call to a proxy is answered within its --timeout, so time-outs may be well above that.
options = dict(timeout=PATIENCE, connect_timeout=PATIENCE, default_noreply=False)

if CA:
    # A large value is sent in many records, and without this, each may wait for the acknowledgement of the one before.
    options["no_delay"] = True
    options["tls_context"] = ssl.create_default_context(cafile=CA)
if USERNAME:
    Client, PooledClient, HashClient = LoginClient, LoginPooledClient, LoginHashClient

single, pooled = Client(ADDRESS, **options), PooledClient(ADDRESS, max_pool_size=4, **options)
retrying, hashing = RetryingClient(single, attempts=2, retry_for=[ConnectionError]), HashClient([ADDRESS], **options)
if REFUSED:
    refused(single)
for client in (single, pooled, retrying, hashing):
    client.flush_all(noreply=False)
    for key in ("a", "b", "c", "d"):  # enough for two memcacheds to get some
        storage(client, key)
        cas(client, key)
        numbers(client, key)
        quiet(client, key)
    expiry(client, "e")
    many(client)
    limits(client)
    if client is not hashing:
        server(client)
    flush(client)
serialised(Client(ADDRESS, serde=serde.pickle_serde, **options))
if hasattr(serde, "compressed_serde"):  # from 4.0 on
    serialised(Client(ADDRESS, serde=serde.compressed_serde, **options))
freeze(single)
check.done()
