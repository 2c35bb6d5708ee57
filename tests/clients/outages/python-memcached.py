"""python-memcached: python-memcached.py <host:port>. It has no errors: what is refused looks like a miss."""
import sys

import memcache
from lines import serve

# A multi-get that is refused waits for an END, and so for as long as the client has patience. After that it would avoid
# the proxy for 30 seconds.
client = memcache.Client([sys.argv[1]], socket_timeout=0.5, dead_retry=0)
serve(client.set, client.get, client.get_multi, ())
