"""A session of pylibmc: python3 pylibmc_session.py HOST PORT"""
import sys

import pylibmc
from pylibmc_lists import lists
from pylibmc_locks import locks
from pylibmc_logs import logs
from pylibmc_noreply import noreply
from pylibmc_rankings import rankings
from pylibmc_sets import sets
from pylibmc_tables import tables
from pylibmc_tasks import tasks
from pylibmc_together import together

client = pylibmc.Client(["%s:%s" % tuple(sys.argv[1:3])])
for part in sets, logs, lists, tables, rankings, locks, tasks, together, noreply:
    part(client)
print("ok")
