"""pymemcache: python-pymemcache.py <host:port>"""
import sys

from lines import serve
from pymemcache import Client, MemcacheError

client = Client(sys.argv[1], default_noreply=False, timeout=20)
serve(client.set, client.get, client.get_many, MemcacheError)
