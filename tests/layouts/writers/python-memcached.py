"""Stores keys with python-memcached:

    /usr/bin/python3 -I python-memcached.py python-memcached <keys-file> <host:port[:weight]>...
"""

import sys

import memcache


def server(text):
    host, port, weight = (text.split(":") + ["1"])[:3]
    return f"{host}:{port}", int(weight)


def main(_layout, keys_file, *servers):
    client = memcache.Client([server(s) for s in servers])
    with open(keys_file, "rb") as keys:
        for key in keys.read().split(b"\n")[:-1]:
            if not client.set(key, key, noreply=True):
                sys.exit(f"python-memcached: {key} is not stored")
    client.disconnect_all()


main(*sys.argv[1:])
