/**
 * Proves memverbs.js: node test.js CLIENT MEMVERBS MEMCACHED, with memjs or memcached as the client and the last two as
 * HOST:PORT; it says each scenario that holds.
 */
'use strict';

const { deepStrictEqual: equal, ok, rejects, throws } = require('node:assert');
const { promisify } = require('node:util');
const { Verbs, VerbError, LockHeld, LockLost, overMemjs, overMemcached, word, records } = require('./memverbs');

const [client, memverbs, memcached] = process.argv.slice(2);
const ODD = "Ä b/c%2F+&é'\n日😀"; // a text that is neither a word nor ASCII
const LONG = 3600; // seconds: longer than any test

const open = [];
const clients = []; // in the order in which they were made

/** Returns the verbs of the server there, over a client such as an application has. */
function connect(address) {
  if (client === 'memjs') {
    const memjs = require('memjs').Client.create(address, { retries: 1, timeout: 60, conntimeout: 60, logger: { log() {} } });
    open.push(() => memjs.close());
    clients.push(memjs);
    return new Verbs(overMemjs(memjs));
  }
  const Memcached = require('memcached');
  const npm = new Memcached(address, { timeout: 60000, retry: 1, retries: 0, failures: Number.MAX_SAFE_INTEGER });
  open.push(() => npm.end());
  clients.push(npm);
  return new Verbs(overMemcached(npm));
}

/** Says the scenario if it does not throw. */
async function scenario(text, work) {
  await work();
  console.log(text);
}

/** Expects a rejection by an error of a class whose message has these parts. */
async function refuses(promise, kind, ...parts) {
  await rejects(promise, (error) => {
    ok(error instanceof kind, error);
    equal(parts.filter((part) => !error.message.includes(part)), [], error.message);
    return true;
  });
}

const steps = require('node:readline').createInterface({ input: process.stdin });
open.push(() => steps.close());
const taken = steps[Symbol.asyncIterator]();

/** Has whoever runs this test take a step of an outage. */
async function ask(step) {
  console.log(`! ${step}`);
  await taken.next();
}

/** Does something until it resolves to true, for a minute at most. */
async function again(work) {
  for (const end = Date.now() + 60000; ;) {
    try {
      equal(await work(), true);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
  }
}

async function prove(verbs) {
  await verbs.check();

  await scenario('words: any text comes back as it was, of a member and of an id', async () => {
    const names = verbs.set('words');
    await names.add(ODD, 'noreply');
    equal([await names.all(), await names.has(ODD), await names.has('b')], [[ODD, 'noreply'], true, false]);
    await verbs.queue('words-tasks').put(ODD, 'x');
    equal((await verbs.queue('words-tasks').take(LONG)).id, ODD);
    equal(word("-_.~!'()*"), '-_.~%21%27%28%29%2A');
  });

  await scenario("words: what can't be a name is refused before it is sent", async () => {
    for (const name of ['', 'a b', 'a/b']) throws(() => verbs.set(name), /can't be a name/);
    await refuses(verbs.set('a'.repeat(240)).all(), RangeError, '250 bytes');
  });

  if (client === 'memjs') {
    await scenario('records: data of any bytes is read as it was put', async () => {
      const every = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, i) => i)), Buffer.from('\n\r\n')]);
      const queue = verbs.queue('records');
      await queue.put('a', every);
      await queue.put('b', '');
      equal([(await queue.take(LONG)).data, (await queue.take(LONG)).data], [every, Buffer.alloc(0)]);
    });
  }

  await scenario('records: JSON is read as it was put', async () => {
    const queue = verbs.queue('texts');
    await queue.put('a', JSON.stringify([ODD]));
    equal(JSON.parse((await queue.take(LONG)).data), [ODD]);
    if (client === 'memcached') await refuses(queue.put('a', 'two\nlines'), VerbError, 'JSON');
    equal(records(Buffer.from('a 0 3\nx\ny\nb 7 0 s.1\n\n')).map(({ words, data }) => [...words, String(data)]),
      [['a', '0', '3', 'x\ny'], ['b', '7', '0', 's.1', '']]);
  });

  await scenario('errors: a refusal tells the key, and the reason or where it is', async () => {
    await refuses(verbs.limit('errors', 5, 0).allow(), VerbError, 'verb/limit/errors/5/0', 'the log of memverbs');
  });

  await scenario('errors: a server that takes verbs for keys is found out', async () => {
    await refuses(connect(memcached).check(), VerbError, '--verb-keys verb/');
  });

  const queue = verbs.queue('mails');

  await scenario('queue: a task is given to one worker until it is done', async () => {
    await queue.put('welcome:7', 'Alice');
    const task = await queue.take(LONG);
    equal([task.id, String(task.data), task.attempt], ['welcome:7', 'Alice', 1]);
    equal([await queue.take(LONG), await queue.size()], [null, 1]);
    equal([await task.keep(LONG), await task.done(), await task.done(), await queue.size()], [true, true, false, 0]);
  });

  await scenario('queue: a task that is there is not added again', async () => {
    equal([await queue.add('report', 'first'), await queue.add('report', 'second')], [true, false]);
    equal([String((await queue.take(LONG)).data), await queue.drop('report'), await queue.drop('report')], ['first', true, false]);
  });

  await scenario('queue: a task for later is not given now', async () => {
    await queue.put('later', 'x', LONG);
    equal([await queue.take(LONG), await queue.drop('later')], [null, true]);
  });

  await scenario('queue: a worker tries again what fails, and leaves alone what fails too often', async () => {
    await queue.put('good', 'x');
    await queue.put('bad', 'x');
    const failures = [];
    const succeeded = await queue.work(async ({ id }) => {
      if (id === 'bad') throw new Error('no connection');
    }, { hold: LONG, attempts: 3, pause: 0, failed: (task, error) => failures.push([task.attempt, error.message]) });
    equal([succeeded, failures, await queue.size()], [1, [1, 2, 3].map((n) => [n, 'no connection']), 1]);
    await queue.drop('bad');
  });

  await scenario('queue: a worker that waits gets a task that is put meanwhile', async () => {
    const [task] = await Promise.all([queue.take(LONG, { wait: 30 }), connect(memverbs).queue('mails').put('new', 'x')]);
    equal(task.id, 'new');
  });

  const board = verbs.leaderboard('points');

  await scenario('leaderboard: points add up, and the highest scores come first', async () => {
    await board.put('ann', 120);
    equal([await board.add('bob', 90), await board.add('bob', 5, LONG), await board.add(ODD), await board.add('ann', -20)], [90, 95, 1, 100]);
    equal([await board.top(2), await board.top(5, 2), await board.size()], [[['ann', 100], ['bob', 95]], [[ODD, 1]], 3]);
  });

  await scenario("leaderboard: a member's score, place and neighbours", async () => {
    equal([await board.score('bob'), await board.place('bob')], [95, 1]);
    equal(await board.around('bob', 1), [['ann', 100], ['bob', 95], [ODD, 1]]);
    equal([await board.score('cid'), await board.place('cid'), await board.around('cid', 1)], [null, null, []]);
    await board.remove('bob');
    equal(await board.top(-1), [['ann', 100], [ODD, 1]]);
  });

  await scenario('leaderboard: a score below zero is an error, and counted all the same', async () => {
    await refuses(board.add('dan', -7), VerbError, 'zincrby/points/dan');
    equal(await board.score('dan'), -7);
  });

  const limit = verbs.limit('login:ann', 3, LONG);

  await scenario('limit: so many are allowed, and no more', async () => {
    const { allowed, left } = await limit.left();
    equal([allowed, left], [true, 3]);
    equal([await limit.allow(2), await limit.allow(2), await limit.allow(), await limit.allow()], [true, false, true, false]);
  });

  await scenario('limit: who is refused is told when to ask again', async () => {
    const { allowed, left, wait } = await limit.left();
    equal([allowed, left, wait > 0 && wait <= 2 * LONG], [false, 0, true]);
  });

  await scenario('lock: one has it at a time', async () => {
    const mine = verbs.lock('report', LONG);
    const other = verbs.lock('report', LONG);
    equal([await mine.acquire(), await mine.acquire(), await other.acquire()], [true, true, false]);
    await refuses(other.during(() => 1), LockHeld, 'report');
    equal([await mine.extend(LONG), await other.release(), await mine.release(), await other.during(() => 5)], [true, false, true, 5]);
    const several = [];
    for (let i = 0; i < 3; i++) several.push(await verbs.lock('crawl', LONG, 2).acquire());
    equal(several, [true, true, false]);
  });

  await scenario('lock: who has lost it is told so', async () => {
    const lock = verbs.lock('page', LONG);
    await refuses(lock.during(() => lock.release()), LockLost, 'page');
  });

  const fruits = verbs.set('fruits');

  await scenario('set: members are added and removed', async () => {
    equal([await fruits.size(), await fruits.has('apple'), await fruits.all()], [0, false, []]);
    await fruits.add('apple', 'pear', 'apple');
    await fruits.addFor(LONG, 'plum');
    await fruits.remove('pear', 'fig');
    equal([await fruits.all(), await fruits.size(), await fruits.has('apple'), await fruits.has('pear')], [['apple', 'plum'], 2, true, false]);
  });

  await scenario('set: a member that is new is told from one that was there', async () => {
    equal([await fruits.addNew('fig'), await fruits.addNew('fig')], [true, false]);
  });

  await scenario('set: the members that several sets have', async () => {
    await verbs.set('red').add('apple', 'cherry');
    equal(await fruits.common(verbs.set('red')), ['apple']);
  });

  await scenario('namespaces: a flush hides the keys of the namespace, and no others', async () => {
    for (const key of ['pages:1', 'other:1']) await verbs.client.set(key, 'x');
    await verbs.flush('pages:');
    equal([await verbs.client.get('pages:1'), String(await verbs.client.get('other:1'))], [null, 'x']);
    await refuses(verbs.flush('other:'), VerbError, 'nsflush/other:');
  });

  await scenario('outage: a verb is an error while its server is down, and works again', async () => {
    await ask('stop the memcacheds');
    const [lock, limit] = [verbs.lock('outage', LONG), verbs.limit('outage', 1, LONG)];
    for (const [work, key] of [
      [() => fruits.add('kiwi'), 'sadd/fruits'], [() => fruits.addNew('kiwi'), 'saddnew/fruits'], [() => fruits.has('kiwi'), 'sismember/fruits'],
      [() => lock.acquire(), 'lock/outage'], [() => lock.extend(LONG), 'relock/outage'], [() => lock.release(), 'unlock/outage'],
      [() => limit.allow(), 'limit/outage'],
    ]) await refuses(work(), VerbError, `verb/${key}`);
    await ask('start the memcacheds');
    await again(() => fruits.addNew('kiwi'));
  });

  await scenario('outage: a verb is an error while memverbs is down, and works again', async () => {
    await ask('stop memverbs');
    await refuses(fruits.add('lime'), VerbError, 'verb/sadd/fruits');
    await ask('start memverbs');
    await again(() => fruits.addNew('lime'));
  });

  await scenario('outage: what a plain get is, and when the client tries again', client === 'memjs' ? proveMemjs : proveMemcached);
}

async function proveMemjs() {
  const [memjs] = clients;
  for (const name of ['the memcacheds', 'memverbs']) {
    await memjs.set('kept', '1');
    await ask(`stop ${name}`);
    for (let i = 0; i < 3; i++) await rejects(memjs.get('kept'));
    await ask(`start ${name}`);
    await memjs.get('kept');
  }
}

async function proveMemcached() {
  const [npm] = clients;
  const get = () => promisify(npm.get).call(npm, 'kept');
  const set = () => promisify(npm.set).call(npm, 'kept', 1, LONG);
  await set();
  await ask('stop the memcacheds');
  equal(await get(), false);
  await ask('start the memcacheds');
  await again(set);
  await ask('stop memverbs');
  await rejects(get());
  await ask('start memverbs');
  await again(set);
  const { retry, retries, factor, minTimeout, maxTimeout } = require('memcached').config;
  let wait = 0;
  for (let i = 0; i < retries; i++) wait += Math.min(minTimeout * factor ** i, maxTimeout);
  equal([retry, wait], [30000, 100000]);
}

prove(connect(memverbs)).then(
  () => {
    open.forEach((close) => close());
    process.exit(); // after an outage memcached of npm has timers of its own
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
