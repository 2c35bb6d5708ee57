"""Stores keys with pymemcache's HashClient:

    [KEY_PREFIX=<prefix>] /usr/bin/python3 -I pymemcache.py pymemcache <keys-file> <host:port>...

With KEY_PREFIX that is the client's key_prefix, and values begin with it as well.
-I keeps this file from being imported in the client's place.
"""

import os
import sys

from pymemcache.client.hash import HashClient


def server(text):
    host, port = text.split(":")
    return host, int(port)


def main(_layout, keys_file, *servers):
    prefix = os.environ.get("KEY_PREFIX", "")
    client = HashClient(
        [server(s) for s in servers],
        allow_unicode_keys=True,
        encoding="utf-8",
        key_prefix=prefix.encode(),
    )
    with open(keys_file, encoding="utf-8", newline="\n") as keys:
        for key in keys.read().split("\n")[:-1]:
            client.set(key, prefix + key, noreply=True)
    client.close()


main(*sys.argv[1:])
