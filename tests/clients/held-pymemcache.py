"""pymemcache, ten clients that ask for one page and make it if it is missing: held-pymemcache.py <host:port>"""
import ssl
import sys
import threading
import time

from checks import CA, PATIENCE
from pymemcache import Client, __version__

PAGE = b"the page"
made = []
wrong = []


def ask():
    tls = ssl.create_default_context(cafile=CA) if CA else None
    client = Client(sys.argv[1], timeout=PATIENCE, connect_timeout=PATIENCE, tls_context=tls)
    page = client.get("page:1")
    if page is None:
        time.sleep(0.3)
        made.append(client.set("page:1", PAGE, noreply=False))
    elif page != PAGE:
        wrong.append(page)
    client.close()


print("pymemcache", __version__)
threads = [threading.Thread(target=ask) for _ in range(10)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if wrong:
    sys.exit(f"pymemcache: the page is {wrong}")
print(len(made), "made")
print("ok")
