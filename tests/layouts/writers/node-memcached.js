// Stores keys with the npm package memcached:
//
//     NODE_PATH=<node_modules> node node-memcached.js node-memcached <keys-file> <host:port[:weight]>...

const fs = require("fs");
const { promisify } = require("util");
const Memcached = require("memcached");

const [, , , keysFile, ...servers] = process.argv;
const weights = {};
for (const server of servers) {
  const [host, port, weight] = server.split(":");
  weights[`${host}:${port}`] = Number(weight ?? 1);
}
const client = new Memcached(weights, { timeout: 20000 });
const set = promisify(client.set).bind(client);

async function main() {
  const keys = fs.readFileSync(keysFile, "utf8").split("\n").slice(0, -1);
  while (keys.length > 0) {
    await Promise.all(keys.splice(0, 500).map((key) => set(key, key, 0)));
  }
  client.end();
}

main().catch((error) => {
  console.error(`node-memcached: ${error}`);
  process.exit(1);
});
