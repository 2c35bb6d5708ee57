"""Stores keys with pylibmc:

    /usr/bin/python3 -I pylibmc.py <layout> <keys-file> <host:port[:weight]>...

-I keeps this file from being imported in the client's place.
"""

import sys

import pylibmc

BEHAVIORS = {
    "libmemcached": {},
    "libmemcached-ketama": {"ketama": True},
    "libmemcached-ketama-weighted": {"ketama_weighted": True},
}


def main(layout, keys_file, *servers):
    client = pylibmc.Client(servers, behaviors={**BEHAVIORS[layout], "_noreply": True})
    with open(keys_file, "rb") as keys:
        for key in keys.read().split(b"\n")[:-1]:
            client.set(key, key)
    client.disconnect_all()


main(*sys.argv[1:])
