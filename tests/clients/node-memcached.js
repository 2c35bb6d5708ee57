// memcached, from npm: node-memcached.js <host:port>
const Memcached = require('memcached');
const { PATIENCE, BINARY, LARGE, MANY, begin, check, eventually, frozen, pause, run, thaw } = require('./checks');

const ADDRESS = process.argv[2];
const client = new Memcached(ADDRESS, {
  // Every call to a proxy is answered within its --timeout, so time-outs (in ms) may be well above that.
  timeout: PATIENCE * 1000,
  idle: PATIENCE * 1000,
  // After a SERVER_ERROR the client takes its server for dead, for so many ms, and after so many of them for half an
  // hour. There is only one server, the proxy, and the error is mostly one of a single memcached behind it.
  retry: 1,
  failures: Number.MAX_SAFE_INTEGER,
  // Leave it to the server to say what is too large, so that this is tried too.
  maxValue: 8 << 20,
});

begin('memcached for node', require('memcached/package.json').version);

// call resolves to what the client hands to the callback, or to the message of its error. While it takes its server
// for dead nothing is sent, and it is asked again.
async function call(method, ...args) {
  for (const giveUp = Date.now() + PATIENCE * 1000; ;) {
    const [error, got] = await new Promise((resolve) => client[method](...args, (...result) => resolve(result)));
    if (!error) return got;
    const message = String(error.message || error);
    if (!message.includes('not available') || Date.now() > giveUp) return message;
    await pause(1);
  }
}

async function storage(key) {
  check('get missing', undefined, await call('get', key));
  check('replace missing', 'Item is not stored', await call('replace', key, 'x', 0));
  check('append missing', 'Item is not stored', await call('append', key, 'x'));
  check('prepend missing', 'Item is not stored', await call('prepend', key, 'x'));
  check('add', true, await call('add', key, 'first', 0));
  check('add again', 'Item is not stored', await call('add', key, 'second', 0));
  check('get added', 'first', await call('get', key));
  check('replace', true, await call('replace', key, 'second', 0));
  check('append', true, await call('append', key, ' third'));
  check('prepend', true, await call('prepend', key, 'zeroth '));
  check('get appended', 'zeroth second third', await call('get', key));
  for (const value of ['', BINARY, 'Grüße, 世界', 17, 2.5, { list: [1, 'two', { three: null }] }, LARGE]) {
    check('set', true, await call('set', key, value, 0));
    check('get', value, await call('get', key));
  }
  check('del', true, await call('del', key));
  check('del missing', false, await call('del', key));
  check('get deleted', undefined, await call('get', key));
}

async function cas(key) {
  check('gets missing', undefined, await call('gets', key));
  check('set', true, await call('set', key, 'one', 0));
  const got = await call('gets', key);
  check('gets', 'one', got[key]);
  check('cas', true, await call('cas', key, 'two', got.cas, 0));
  check('cas conflict', false, await call('cas', key, 'three', got.cas, 0));
  check('get swapped', 'two', await call('get', key));
  await call('del', key);
  check('cas missing', false, await call('cas', key, 'three', got.cas, 0));
}

async function numbers(key) {
  check('incr missing', false, await call('incr', key, 1));
  check('decr missing', false, await call('decr', key, 1));
  check('set', true, await call('set', key, 10, 0));
  check('incr', 15, await call('incr', key, 5));
  check('decr', 12, await call('decr', key, 3));
  check('decr below 0', 0, await call('decr', key, 100));
  check('set', true, await call('set', key, '18446744073709551615', 0));
  check('incr beyond 64 bits', 1, await call('incr', key, 2));
  check('set', true, await call('set', key, 'no number', 0));
  check('incr of no number', 'cannot increment or decrement non-numeric value', await call('incr', key, 1));
  check('get after an error', 'no number', await call('get', key));
  await call('del', key);
}

async function expiry(key) {
  check('touch missing', false, await call('touch', key, 10));
  check('set', true, await call('set', key, 'x', 100));
  check('touch', true, await call('touch', key, 200));
  check('get touched', 'x', await call('get', key));
  check('touch into the past', true, await call('touch', key, -1));
  check('get expired', undefined, await call('get', key));
  check('set for a second', true, await call('set', key, 'x', 1));
  await eventually('get after a second', undefined, () => call('get', key));
}

// Calls at once go over several connections.
async function setMany() {
  const results = await Promise.all(Object.entries(MANY).map(([key, value]) => call('set', key, value, 0)));
  check('set of many at once', Array(results.length).fill(true), results);
}

async function many() {
  await setMany();
  check('getMulti', MANY, await call('getMulti', [...Object.keys(MANY), 'nobody']));
  const got = await Promise.all(Object.keys(MANY).map((key) => call('get', key)));
  check('get of many at once', Object.values(MANY), got);
  for (const key in MANY) await call('del', key);
  check('getMulti deleted', {}, await call('getMulti', Object.keys(MANY)));
}

async function limits() {
  for (const key of ['k'.repeat(250), 'k'.repeat(249) + 'l', 'k'.repeat(251), 'ключ']) { // the client hashes the third
    check('set of an unusual key', true, await call('set', key, key, 0));
    check('get of an unusual key', key, await call('get', key));
  }
  check('set', true, await call('set', 'large', 'small', 0));
  check('set of a value too large', false, await call('set', 'large', LARGE + LARGE, 0));
  check('get of a value too large', undefined, await call('get', 'large'));
  check('get in step', 'k'.repeat(250), await call('get', 'k'.repeat(250)));
}

async function server() {
  const [version] = await call('version');
  check('version', [ADDRESS, true], [version.server, /^\d+\.\d+\.\d+$/.test(version.version)]);
  const [stats] = await call('stats');
  check('stats', [ADDRESS, true], [stats.server, stats.version.startsWith('1.6.') && stats.cmd_get > 0]);
  await setMany();
  check('flush', [true], await call('flush'));
  check('getMulti flushed', {}, await call('getMulti', Object.keys(MANY)));
}

// With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, which this client gives as false, where a
// miss is undefined. The others are served.
async function freeze() {
  await setMany();
  if (!await frozen()) return;
  let served = 0;
  for (const key in MANY) {
    const got = await call('get', key);
    if (got === MANY[key]) served++;
    else check('get while frozen', false, got);
    check('add while frozen', got === false ? false : 'Item is not stored', await call('add', key, 'x', 0));
  }
  check('some keys served while frozen', true, served > 0 && served < Object.keys(MANY).length);
  await call('getMulti', Object.keys(MANY));
  await thaw();
  check('getMulti when thawed', MANY, await call('getMulti', Object.keys(MANY)));
}

run(async () => {
  await call('flush');
  for (const key of ['a', 'b', 'c', 'd']) { // enough for two memcacheds to get some
    await storage(key);
    await cas(key);
    await numbers(key);
  }
  await expiry('e');
  await many();
  await limits();
  await server();
  await freeze();
  client.end();
});
