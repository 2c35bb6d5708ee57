// Writes node-memcached.golden: where the npm package memcached puts keys.
//
//     npm install memcached@2.2.2 && node node-memcached.js > node-memcached.golden
const Memcached = require('memcached');
const versions = ['memcached', 'hashring'].map((name) => `${name} ${require(`${name}/package.json`).version}`);

const KEYS = 300;
const KEYS_PER_LINE = 50;
const TAIL = 'abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function record(pool, prefix, weights) {
  const servers = Object.keys(weights);
  const ring = new Memcached(weights).HashRing;
  console.log(`\npool ${pool}\nlayout node-memcached\nprefix ${prefix}\ntail ${TAIL}`);
  for (const server of servers) console.log(`server ${server}:${weights[server]}`);
  let line = '';
  for (let i = 0; i < KEYS; i++) {
    const server = ring.get(prefix + i + TAIL.slice(0, i % (TAIL.length + 1)));
    line += servers.indexOf(server).toString(16).padStart(2, '0');
    if (i % KEYS_PER_LINE === KEYS_PER_LINE - 1) {
      console.log(`keys ${line}`);
      line = '';
    }
  }
}

function equals(n) {
  return Object.fromEntries(Array.from({length: n}, (_, i) => [`10.0.0.${i + 1}:11211`, 1]));
}

console.log(`# Made with ${versions.join(' and ')} by node-memcached.js, which lies beside this file.`);
const weights = {'10.0.0.1:11211': 1, '10.0.0.2:11311': 2, 'cache-a:11211': 3, 'cache-b:22122': 7};
record('several kinds', 'key:', weights);
record('keys that are not ASCII', 'clé€😀:', weights);
record('uneven weights', 'key:', {'10.0.0.1:11211': 1, '10.0.0.2:11311': 100, 'cache-a:11211': 1000});
record('seven equals', 'key:', equals(7));
record('twenty-five equals', 'key:', equals(25));
record('tie', 'key:', {'cache25:11211': 1, 'cache501:11211': 1});
record('tie reversed', 'key:', {'cache501:11211': 1, 'cache25:11211': 1});
