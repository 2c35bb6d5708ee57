"""pylibmc: python-pylibmc.py <host:port> [binary]"""
import sys

import pylibmc

client = pylibmc.Client(
    [sys.argv[1]], binary="binary" in sys.argv, behaviors={"connect_timeout": 20_000, "_poll_timeout": 20_000}
)


def found(values):
    return " ".join(f"{key}={value}" for key, value in values.items() if value is not None)


def answer(command, *words):
    if command == "set":
        return "stored" if client.set(*words) else "not stored"
    if command == "get":
        return found({words[0]: client.get(words[0])})
    return found(client.get_multi(words))


for line in sys.stdin:
    try:
        print(answer(*line.split()), flush=True)
    except pylibmc.Error as e:
        print("error", e, flush=True)
