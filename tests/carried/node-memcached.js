// Sets, event logs and locks from the memcached package of npm: node-memcached.js HOST PORT
const assert = require('node:assert');
const { promisify } = require('node:util');
const Memcached = require('memcached');

const m = new Memcached(`${process.argv[2]}:${process.argv[3]}`);
const set = promisify(m.set.bind(m));
const get = promisify(m.get.bind(m));
const add = promisify(m.add.bind(m));
const touch = promisify(m.touch.bind(m));
const del = promisify(m.del.bind(m));
const getMulti = promisify(m.getMulti.bind(m));

function check(what, got, expected) {
  assert.deepStrictEqual(got, expected, `memcached: ${what}: got ${JSON.stringify(got)}`);
  console.log(`${what} -> ${JSON.stringify(got)}`);
}

// The client reports NOT_STORED as an error.
const failure = (promise) => promise.then(() => 'no failure', (error) => error.message);

function events(value) {
  const found = [];
  for (let at = 0; at < value.length; ) {
    const end = value.indexOf('\n', at);
    const size = Number(value.slice(at, end).split(' ')[2]);
    found.push(value.slice(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return found;
}

async function session() {
  check("set verb/sadd/node 'apple pear plum'", await set('verb/sadd/node', 'apple pear plum', 600), true);
  check("set verb/srem/node 'pear'", await set('verb/srem/node', 'pear', 0), true);
  check('get verb/smembers/node', await get('verb/smembers/node'), 'apple plum');
  check(
    'getMulti of three verbs and a key',
    { ...(await getMulti(['verb/scard/node', 'verb/sismember/node/apple', 'verb/sismember/node/pear', 'none'])) },
    { 'verb/scard/node': '2', 'verb/sismember/node/apple': '1', 'verb/sismember/node/pear': '0' },
  );
  check('set verb/srem/none', await failure(set('verb/srem/none', 'a', 0)), 'Item is not stored');
  check('get verb/smembers/none', await get('verb/smembers/none'), undefined);
  check("set verb/logput/node-log 'logged in'", await set('verb/logput/node-log', 'logged in', 0), true);
  check("set verb/logput/node-log 'logged out'", await set('verb/logput/node-log', 'logged out', 0), true);
  check('get verb/logfetch/node-log', events(await get('verb/logfetch/node-log')), ['logged in', 'logged out']);
  check("add verb/lock/node-lock 'alice'", await add('verb/lock/node-lock', 'alice', 30), true);
  check("add verb/lock/node-lock 'bob'", await failure(add('verb/lock/node-lock', 'bob', 30)), 'Item is not stored');
  check('touch verb/relock/node-lock/alice', await touch('verb/relock/node-lock/alice', 60), true);
  check('touch verb/relock/node-lock/bob', await touch('verb/relock/node-lock/bob', 60), false);
  check('del verb/unlock/node-lock/bob', await del('verb/unlock/node-lock/bob'), false);
  check('del verb/unlock/node-lock/alice', await del('verb/unlock/node-lock/alice'), true);
}

session().then(
  () => {
    console.log('ok');
    m.end();
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
