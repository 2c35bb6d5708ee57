"""A session of pymemcache: python3 pymemcache_session.py HOST PORT"""
import sys

from pymemcache.client.base import Client
from pymemcache_flags import flags
from pymemcache_limits import limits
from pymemcache_lists import lists
from pymemcache_locks import locks
from pymemcache_logs import logs
from pymemcache_noreply import noreply
from pymemcache_objects import objects
from pymemcache_rankings import rankings
from pymemcache_sets import sets
from pymemcache_tables import tables
from pymemcache_tasks import tasks
from pymemcache_together import together
from waits import waits

server = (sys.argv[1], int(sys.argv[2]))
client = Client(server, default_noreply=False)
for part in sets, logs, lists, tables, rankings, locks, limits, tasks, together, noreply:
    part(client)
waits(client, "pymemcache-waits")
flags(server)
objects(server)
print("ok")
