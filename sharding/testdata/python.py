"""Writes python.golden: where python-memcached and pymemcache put keys.

    python3 python.py > python.golden
"""

import memcache
import pymemcache
from pymemcache.client.hash import HashClient

KEYS, KEYS_PER_LINE = 300, 50
TAIL = "abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def record(pool, layout, prefix, servers, locate):
    print(f"\npool {pool}\nlayout {layout}\nprefix {prefix}\ntail {TAIL}")
    for server in servers:
        print("server", server)
    keys = [f"{prefix}{i}{TAIL[:i % (len(TAIL) + 1)]}" for i in range(KEYS)]
    for i in range(0, KEYS, KEYS_PER_LINE):
        print("keys", bytes(locate(k) for k in keys[i:i + KEYS_PER_LINE]).hex())


def python_memcached(pool, prefix, servers):
    client = memcache.Client([(a, int(w)) for a, w in (s.rsplit(":", 1) for s in servers)])
    for server in client.servers:
        server.connect = lambda: 1  # nothing listens there
    record(pool, "python-memcached", prefix, servers,
           lambda key: client.servers.index(client._get_server(key.encode())[0]))


def pymemcache_hashclient(pool, prefix, servers):
    client = HashClient(servers, allow_unicode_keys=True)
    clients = list(client.clients.values())
    record(pool, "pymemcache", prefix, servers, lambda key: clients.index(client._get_client(key)))


print(f"# Made with python-memcached {memcache.__version__} and pymemcache {pymemcache.__version__} by python.py, which lies beside this file.")
weights = ["10.0.0.1:11211:1", "10.0.0.2:11311:2", "unix:/run/memcached.sock:3", "cache-a:11211:40"]
python_memcached("several kinds", "key:", weights)
python_memcached("keys that are not ASCII", "clé€😀:", weights)
python_memcached("seven equals", "key:", [f"10.0.0.{i}:11211:1" for i in range(1, 8)])
kinds = ["10.0.0.1:11211", "10.0.0.2:11311", "unix:/run/memcached.sock", "cache-a:11211", "cache-bc", "[2001:db8::2]:11211"]
pymemcache_hashclient("several kinds", "key:", kinds)
pymemcache_hashclient("keys that are not ASCII", "clé€😀:", kinds)
pymemcache_hashclient("hundred equals", "key:", [f"10.0.0.{i}:11211" for i in range(1, 101)])
