"""A session of pylibmc: python3 pylibmc_session.py HOST PORT [binary]"""
import sys

import pylibmc
from pylibmc_limits import limits
from pylibmc_lists import lists
from pylibmc_locks import locks
from pylibmc_logs import logs
from pylibmc_noreply import noreply
from pylibmc_objects import objects
from pylibmc_rankings import rankings
from pylibmc_sets import sets
from pylibmc_tables import tables
from pylibmc_tasks import tasks
from pylibmc_together import together
from waits import waits

client = pylibmc.Client(["%s:%s" % tuple(sys.argv[1:3])], binary="binary" in sys.argv)
for part in sets, logs, lists, objects, tables, rankings, locks, limits, tasks, together:
    part(client)
waits(client, "pylibmc-waits")
if not client.binary:  # see pylibmc_tasks.py
    noreply(client)
print("ok")
