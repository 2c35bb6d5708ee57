"""pymemcache: python-pymemcache.py <host:port>"""
import sys

from pymemcache import Client, MemcacheError

client = Client(sys.argv[1], default_noreply=False, timeout=20)


def found(values):
    return " ".join(f"{key}={value.decode()}" for key, value in values.items() if value is not None)


def answer(command, *words):
    if command == "set":
        return "stored" if client.set(*words) else "not stored"
    if command == "get":
        return found({words[0]: client.get(words[0])})
    return found(client.get_many(words))


for line in sys.stdin:
    try:
        print(answer(*line.split()), flush=True)
    except MemcacheError as e:
        print("error", repr(e), flush=True)
