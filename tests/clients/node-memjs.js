// memjs, from npm, which speaks the binary protocol: node-memjs.js <host:port>
const memjs = require('memjs');
const { PATIENCE, BINARY, LARGE, MANY, begin, check, eventually, frozen, run, thaw } = require('./checks');

const client = memjs.Client.create(process.argv[2], {
  // Every call to a proxy is answered within its --timeout, so time-outs may be well above that.
  timeout: PATIENCE,
  conntimeout: PATIENCE,
  retries: 1,
  logger: { log() {} }, // which has errors, and these are returned too
});

begin('memjs', require('memjs/package.json').version);

// message is that of the error with which a call ends.
const message = (call) => call.then((got) => `no error but ${got}`, (error) => error.message);
const get = async (key) => { const { value } = await client.get(key); return value && value.toString(); };
const count = async (method, ...args) => (await client[method](...args)).value;

async function storage(key) {
  check('get missing', null, await get(key));
  check('replace missing', false, await client.replace(key, 'x', {}));
  check('append missing', 'MemJS APPEND: Item not stored', await message(client.append(key, 'x')));
  check('prepend missing', 'MemJS PREPEND: Item not stored', await message(client.prepend(key, 'x')));
  check('add', true, await client.add(key, 'first', {}));
  check('add again', false, await client.add(key, 'second', {}));
  check('get added', 'first', await get(key));
  check('replace', true, await client.replace(key, 'second', {}));
  check('append', true, await client.append(key, ' third'));
  check('get appended', 'second third', await get(key));
  check('prepend, which memjs sends as an append', true, await client.prepend(key, ' fourth'));
  check('get appended again', 'second third fourth', await get(key));
  for (const value of ['', BINARY, 'Grüße, 世界', LARGE]) {
    check('set', true, await client.set(key, value, {}));
    check('get', Buffer.from(value), (await client.get(key)).value);
  }
  check('delete', true, await client.delete(key));
  check('delete missing', false, await client.delete(key));
  check('get deleted', null, await get(key));
}

async function numbers(key) {
  check('increment missing, which makes it', 0, await count('increment', key, 5, {}));
  check('increment', 5, await count('increment', key, 5, {}));
  check('decrement', 2, await count('decrement', key, 3, {}));
  check('decrement below 0', 0, await count('decrement', key, 100, {}));
  check('increment missing, from a number', 7, await count('increment', `${key}-from`, 5, { initial: 7 }));
  check('set', true, await client.set(key, 'no number', {}));
  check('increment of no number', true, (await message(client.increment(key, 1, {}))).startsWith('MemJS INCREMENT'));
  check('get after an error', 'no number', await get(key));
  await client.delete(key);
  await client.delete(`${key}-from`);
}

async function expiry(key) {
  check('touch missing', false, await client.touch(key, 10));
  check('set', true, await client.set(key, 'x', { expires: 100 }));
  check('touch', true, await client.touch(key, 200));
  check('get touched', 'x', await get(key));
  check('set for a second', true, await client.set(key, 'x', { expires: 1 }));
  await eventually('get after a second', null, () => get(key));
}

// Calls at once go over one connection, one behind the other.
const ALL = Object.keys(MANY).map(() => true);
const NONE = Object.keys(MANY).map(() => null);
const each = (call) => Promise.all(Object.keys(MANY).map(call));
const setMany = () => each((key) => client.set(key, MANY[key], {}));

async function many() {
  check('set of many at once', ALL, await setMany());
  check('get of many at once', Object.values(MANY), await each(get));
  check('delete of many at once', ALL, await each((key) => client.delete(key)));
  check('get of many deleted', NONE, await each(get));
}

// A key of more than 250 bytes would have the server close the connection, and memjs wait for what it asked next.
async function limits() {
  for (const key of ['k'.repeat(250), 'k'.repeat(249) + 'l', 'ключ']) {
    check('set of an unusual key', true, await client.set(key, key, {}));
    check('get of an unusual key', key, await get(key));
  }
  check('set', true, await client.set('large', 'small', {}));
  check('set of a value too large', 'MemJS SET: Value too large', await message(client.set('large', LARGE + LARGE, {})));
  check('get of a value too large', null, await get('large'));
  check('get in step', 'k'.repeat(250), await get('k'.repeat(250)));
}

async function server() {
  const stats = await new Promise((resolve) => client.stats((error, from, got) => resolve(error || got)));
  check('stats', [true, true], [stats.version.startsWith('1.6.'), stats.cmd_get > 0]);
  await setMany();
  await new Promise((resolve) => client.flush(resolve));
  check('get of many flushed', NONE, await each(get));
}

// With one of two memcacheds frozen, its keys get the proxy's error, and the others are served.
async function freeze() {
  await setMany();
  if (!await frozen()) return;
  let served = 0;
  for (const [key, value] of Object.entries(MANY)) {
    const got = await get(key).catch((error) => error);
    if (got instanceof Error) check('add while frozen', true, (await message(client.add(key, 'x', {}))).startsWith('MemJS ADD'));
    else check('get while frozen', value, got);
    if (got === value) served++;
  }
  check('some keys served while frozen', true, served > 0 && served < ALL.length);
  await thaw();
  check('get of many when thawed', Object.values(MANY), await each(get));
}

run(async () => {
  await new Promise((resolve) => client.flush(resolve));
  for (const key of ['a', 'b', 'c', 'd']) { // enough for two memcacheds to get some
    await storage(key);
    await numbers(key);
  }
  await expiry('e');
  await many();
  await limits();
  await server();
  await freeze();
  client.close();
});
