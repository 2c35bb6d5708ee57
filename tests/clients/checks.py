"""What the scripts of the Python clients share: comparing, waiting, and talking with the test that runs them."""
import os
import sys
import time

PATIENCE = 20  # seconds, for what is bound to happen
CA = os.environ.get("MEMCACHED_CA")  # a file with the authority of the server's certificate, if it speaks TLS
USERNAME, PASSWORD = os.environ.get("MEMCACHED_USERNAME"), os.environ.get("MEMCACHED_PASSWORD")  # if it asks for them
REFUSED = "refused" in sys.argv  # because they are wrong


class Checks:
    """Compares what a client returned with what it should have. The first difference ends the script."""

    def __init__(self, client, version):
        self.client, self.count = client, 0
        print(client, version, flush=True)

    def __call__(self, operation, expected, got):
        self.count += 1
        if got != expected:
            sys.exit(f"{self.client}: {operation}: expected {expected!r:.200}, got {got!r:.200}")

    def raises(self, operation, error, call):
        """Expects call to raise error, and returns what it says."""
        try:
            got = call()
        except error as e:
            self.count += 1
            return str(e)
        self(operation, error, got)

    def eventually(self, operation, expected, call):
        """Expects call to return what is expected before long."""
        deadline = time.monotonic() + PATIENCE
        while call() != expected and time.monotonic() < deadline:
            time.sleep(0.05)
        self(operation, expected, call())

    def frozen(self):
        """Has the test freeze one of the memcacheds behind the proxy. False if there is none."""
        return self._ask("freeze") == "frozen"

    def thaw(self):
        """Has it go on, and returns when the proxy uses it again."""
        self("thaw", "thawed", self._ask("thaw"))

    def done(self):
        print(self.count, "checks\nok")

    @staticmethod
    def _ask(what):
        print(what, flush=True)
        return sys.stdin.readline().strip()
