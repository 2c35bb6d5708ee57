"""Writes twemproxy.golden and jump.golden: where two proxies put keys.

    python3 proxies.py nutcracker memcached

takes the paths of twemproxy's program and of a memcached with the proxy built
in. The servers behind them are made up by this program: they take what they are
sent and remember who was sent it. They listen on addresses of the loopback
network, where the port 11211 must be free.
"""

import os
import re
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

KEYS, KEYS_PER_LINE, FRONT = 300, 50, 22121
TAIL = "abcdefghij-éàü€-KLMNOPQRSTUVWXYZ-0123456789-klmnopqrstuvwxyz"
HASHES = ("one_at_a_time md5 crc16 crc32 crc32a fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 "
          "hsieh murmur jenkins").split()

owner = {}  # key -> index of the server that got it


def serve(index, server):
    """Starts the server as number index of the pool, and returns it."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            for line in self.rfile:
                if line.startswith(b"set "):
                    owner[line.split()[1]] = index
                    self.rfile.readline()
                    self.wfile.write(b"STORED\r\n")
                else:  # a proxy greets its servers with "version" or "me"
                    self.wfile.write(b"VERSION 1.6.38\r\n")

    class Threads:
        allow_reuse_address = daemon_threads = True

    class TCP(Threads, socketserver.ThreadingTCPServer):
        pass

    class Unix(Threads, socketserver.ThreadingUnixStreamServer):
        pass

    address = re.sub(r":\d+( \S+)?$", "", server)  # weight and name
    if server.startswith("unix:"):
        path = address.removeprefix("unix:")
        if os.path.exists(path):
            os.unlink(path)
        listener = Unix(path, Handler)
    else:
        host, port = address.rsplit(":", 1)
        listener = TCP((host, int(port)), Handler)
    threading.Thread(target=listener.serve_forever, daemon=True, args=(0.01,)).start()
    return listener


def key(i, prefix, tail):
    tail = tail.encode()
    return f"{prefix}{i}".encode() + tail[:i % (len(tail) + 1)]


def ask(keys):
    """Stores the keys through the proxy and returns who got them."""
    for _ in range(100):
        try:
            proxy = socket.create_connection(("127.0.0.1", FRONT))
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    else:
        raise RuntimeError("the proxy does not listen")
    owner.clear()
    with proxy, proxy.makefile("rb") as replies:
        for k in keys:
            proxy.sendall(b"set " + k + b" 0 0 1\r\nx\r\n")
            if (reply := replies.readline()) != b"STORED\r\n":
                raise RuntimeError(f"{k!r}: {reply!r}")
    return [owner[k] for k in keys]


def record(out, pool, layout, servers, command, config, prefix="key:", tail=TAIL, tag=""):
    """Runs a proxy with a configuration in front of servers and writes down a pool."""
    listeners = [serve(i, s) for i, s in enumerate(servers)]
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(config)
        file.flush()
        os.chmod(file.name, 0o644)  # a program that gives up being root must read it
        proxy = subprocess.Popen([part.replace("CONFIG", file.name) for part in command],
                                 stderr=subprocess.DEVNULL)
        try:
            indexes = bytes(ask([key(i, prefix, tail) for i in range(KEYS)])).hex()
        finally:
            proxy.terminate()
            proxy.wait()
    for listener in listeners:
        listener.shutdown()
        listener.server_close()
    print(f"\npool {pool}\nlayout {layout}\nprefix {prefix}\ntail {tail}", file=out)
    if tag:
        print("tag", tag, file=out)
    for server in servers:
        print("server", server, file=out)
    for i in range(0, len(indexes), 2 * KEYS_PER_LINE):
        print("keys", indexes[i:i + 2 * KEYS_PER_LINE], file=out)


def twemproxy(program):
    version = subprocess.run([program, "-V"], capture_output=True, text=True).stderr
    version = version.splitlines()[0].removeprefix("This is ")
    mixed = ["127.77.0.1:11211:1", "127.77.0.2:22122:2", "unix:/tmp/memverbs-golden.sock:1",
             "127.77.0.10:11211:3", "127.77.0.3:11211:1 beta", "127.77.0.4:22122:2 b"]
    equals = [f"127.77.0.{i}:11211:1" for i in range(1, 26)]
    uneven = ["127.77.0.1:11211:1", "127.77.0.2:22122:100", "127.77.0.3:11211:1000"]

    def pool(out, name, servers, distribution, hash, settings="", **keys):
        lines = "".join(f"   - {s.removeprefix('unix:')}\n" for s in servers)
        config = (f"pool:\n  listen: 127.0.0.1:{FRONT}\n  distribution: {distribution}\n"
                  f"  hash: {hash}\n{settings}  servers:\n{lines}")
        record(out, name, f"twemproxy:{distribution}:{hash}", servers,
               [program, "-c", "CONFIG", "-o", "/dev/null"], config, **keys)

    with open("twemproxy.golden", "w") as out:
        print(f"# Made with {version} by proxies.py, which lies beside this file.", file=out)
        for distribution in ["ketama", "modula"]:
            for hash in HASHES:
                pool(out, "several kinds", mixed, distribution, hash)
                pool(out, "uneven weights", uneven, distribution, hash)
            pool(out, "twenty-five equals", equals, distribution, "fnv1a_64")
        for prefix, tail in [("a{", "}b{c}"), ("a{}b{", "}c"), ("}", "{a}b")]:
            pool(out, f"hash tag, {prefix}…{tail}", mixed, "ketama", "murmur",
                 '  hash_tag: "{}"\n', prefix=prefix, tail=tail, tag="{}")


def jump(program):
    version = subprocess.run([program, "-V"], capture_output=True, text=True).stdout.strip()

    def pool(out, name, servers):
        config = ('pools{main = {backends = {%s}}}\nroutes{default = route_direct{child = "main"}}\n'
                  % ", ".join(f'"{s.removesuffix(":1")}"' for s in servers))
        record(out, name, "jump", servers,
               [program, "-u", "nobody", "-l", "127.0.0.1", "-p", str(FRONT),
                "-o", "proxy_config=routelib,proxy_arg=CONFIG"], config)

    with open("jump.golden", "w") as out:
        print(f"# Made with {version} by proxies.py, which lies beside this file.", file=out)
        for n in [2, 7, 25]:
            pool(out, f"{n} equals", [f"127.77.0.{i}:11211:1" for i in range(1, n + 1)])


if __name__ == "__main__":
    twemproxy(sys.argv[1])
    jump(sys.argv[2])
