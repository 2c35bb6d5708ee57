"""pylibmc: python-pylibmc.py <host:port> [binary]"""
import sys

import pylibmc
from lines import serve

client = pylibmc.Client(
    [sys.argv[1]], binary="binary" in sys.argv, behaviors={"connect_timeout": 20_000, "_poll_timeout": 20_000}
)
serve(client.set, client.get, client.get_multi, pylibmc.Error)
