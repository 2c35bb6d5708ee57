"""Most viewed today, as mostviewed/main.go has it: each view counts for a day."""

import sys

from pymemcache.client.base import Client

DAY = 86400

host, port = (sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:11211").split(":")
client = Client((host, int(port)))

for page in ["home", "news", "home", "about", "news", "home", "imprint"]:
    views = client.incr(f"verb/zincrbyp/views/{page}/{DAY}", 1)
    print(f"{page} was viewed, {views} times today")

print("most viewed:", client.get("verb/zrevrange/views/0/2/withscores").decode())
