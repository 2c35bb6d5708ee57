/**
 * Queues with workers, leaderboards, rate limits, locks and sets in memcached, by memjs or by memcached of npm.
 *
 *     const verbs = new Verbs(overMemjs(memjs.Client.create('127.0.0.1:11211', { retries: 1, timeout: 30 })));
 *     await verbs.check();
 *     await verbs.queue('mails').put('welcome:7', 'Alice');
 *
 * The server is a memverbs with --verb-keys verb/.
 */
'use strict';

const { randomBytes } = require('node:crypto');

/** A verb that was not carried out, or of which nobody knows whether it was. */
class VerbError extends Error {
  constructor(key, reason) {
    super(`${key}: ${reason}`);
    this.name = 'VerbError';
    this.key = key;
  }
}

/** Another token holds the lock. */
class LockHeld extends Error {}

/** The lock was not held until its end. */
class LockLost extends Error {}

/**
 * What is needed of a client. A change resolves to whether it was made, a get to the value, or null.
 * @typedef {object} Client
 * @property {(key: string) => Promise<?Buffer>} get
 * @property {(key: string, value: string|Buffer) => Promise<boolean>} set
 * @property {(key: string, value: string|Buffer, seconds: number) => Promise<boolean>} add
 * @property {(key: string, seconds: number) => Promise<boolean>} touch
 * @property {(key: string) => Promise<boolean>} delete
 * @property {(key: string, number: number) => Promise<number>} count
 */

/**
 * Adapts a client of memjs. Give it `retries: 1`, or a request whose answer was lost is made once more.
 * @returns {Client}
 */
function overMemjs(client) {
  return {
    get: async (key) => (await client.get(key)).value,
    set: (key, value) => client.set(key, value, {}),
    add: (key, value, seconds) => client.add(key, value, { expires: seconds }),
    touch: (key, seconds) => client.touch(key, seconds),
    // Another's lock or task "exists" in the binary protocol, of which memjs makes an error.
    delete: (key) => client.delete(key).catch((error) => {
      if (/key exists/i.test(error.message)) return false;
      throw error;
    }),
    count: async (key, number) => {
      const { value } = await (number < 0 ? client.decrement(key, -number, {}) : client.increment(key, number, {}));
      return value;
    },
  };
}

/**
 * Adapts a client of memcached. It makes text of what it gets, and puts a backslash before each line break that it sends. So
 * data have to be text without line breaks, such as JSON; others are refused.
 * @returns {Client}
 */
function overMemcached(client) {
  // What the server refuses is false to the callback, as a miss is; this method alone is told of it, just before.
  let refusal = null;
  const { connectionIssue } = client;
  client.connectionIssue = function noted(reason, ...rest) {
    refusal = new Error(reason);
    queueMicrotask(() => { refusal = null; });
    return connectionIssue.call(this, reason, ...rest);
  };
  const call = (method, ...args) => new Promise((resolve, reject) => {
    client[method](...args, (error, result) => {
      const failure = error || (result === false && refusal);
      if (failure) reject(failure);
      else resolve(result);
    });
  });
  return {
    get: async (key) => {
      const value = await call('get', key);
      return value === undefined ? null : Buffer.from(String(value));
    },
    set: async (key, value) => call('set', key, oneLine(value), 0).catch(unlessNotStored),
    add: async (key, value, seconds) => call('add', key, oneLine(value), seconds).catch(unlessNotStored),
    touch: (key, seconds) => call('touch', key, seconds),
    delete: (key) => call('del', key),
    count: (key, number) => (number < 0 ? call('decr', key, -number) : call('incr', key, number)),
  };
}

function oneLine(value) {
  if (typeof value !== 'string' || /[\r\n]/.test(value)) throw new RangeError('memcached of npm needs text without line breaks, such as JSON');
  return value;
}

/** What was not stored is an error for memcached of npm. */
function unlessNotStored(error) {
  if (/not stored/i.test(error.message)) return false;
  throw error;
}

/** Makes one word of any text: memcached's keys have no spaces, and the parts of a verb's key no slashes. */
function word(text) {
  if (text === '') throw new RangeError('a member or an id must not be empty');
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns the text of which word has made a word. */
const text = decodeURIComponent;

/**
 * Reads the items of which a value consists: of each a line, whose third word is the size of the data that follows.
 * @param {?Buffer} value
 * @returns {{words: string[], data: Buffer}[]}
 */
function records(value) {
  const found = [];
  for (let rest = value ?? Buffer.alloc(0); rest.length > 0;) {
    const end = rest.indexOf('\n');
    const words = rest.toString('utf8', 0, end).split(' ');
    const size = Number(words[2]);
    found.push({ words, data: rest.subarray(end + 1, end + 1 + size) });
    rest = rest.subarray(end + 2 + size);
  }
  return found;
}

const LONGEST_KEY = 250; // bytes; of longer ones some clients make a digest, which would name another structure

/** The verbs of a memverbs. */
class Verbs {
  /**
   * @param {Client} client
   * @param {string} prefix what --verb-keys names
   */
  constructor(client, prefix = 'verb/') {
    this.client = client;
    this.prefix = prefix;
  }

  queue(name) { return new Queue(this, name); }

  leaderboard(name) { return new Leaderboard(this, name); }

  /** Allows so many in any interval of so many seconds. */
  limit(name, count, seconds) { return new Limit(this, name, count, seconds); }

  /** A lock that ends by itself after so many seconds. With several holders, so many have it at a time. */
  lock(name, seconds, holders = 1) { return new Lock(this, name, seconds, holders); }

  set(name) { return new Members(this, name); }

  /** Hides all items whose keys begin with the namespace, which the setting `namespaces` of memverbs must name. */
  async flush(namespace) { await this.delete(['nsflush', namespace]); }

  /** Throws VerbError if the server takes verbs for ordinary keys, as memcached does and memverbs without --verb-keys. */
  async check() {
    if (await this.get(['limit', 'memverbs', 1, 1]) === null) {
      throw new VerbError(this.prefix,
        `the server takes this for the beginning of ordinary keys; start memverbs with --verb-keys ${this.prefix}`);
    }
  }

  // These carry a verb by a method of the client.

  get(parts) { return this.#call('get', parts); }

  put(parts, value) { return this.#call('set', parts, value); }

  add(parts, value, seconds = 0) { return this.#call('add', parts, value, seconds); }

  touch(parts, seconds) { return this.#call('touch', parts, seconds); }

  delete(parts) { return this.#call('delete', parts); }

  count(parts, number) { return this.#call('count', parts, number); }

  async #call(method, parts, ...args) {
    const key = this.prefix + parts.join('/');
    if (Buffer.byteLength(key) > LONGEST_KEY) throw new RangeError(`${key} has more than ${LONGEST_KEY} bytes`);
    try {
      return await this.client[method](key, ...args);
    } catch (error) {
      throw new VerbError(key, `${error.message}; the log of memverbs has the reason, if it refused this`);
    }
  }
}

/** What is stored under one key. */
class Structure {
  constructor(verbs, name) {
    if (name === '' || /[\s/]/.test(name)) {
      throw new RangeError(`${JSON.stringify(name)} can't be a name: it must have neither white space nor a slash; word() makes such a name`);
    }
    this.verbs = verbs;
    this.name = name;
  }
}

/** A task that this worker holds. Each method is false if the task has become another worker's, or is there no more. */
class Task {
  #queue;
  #stamp;

  constructor(queue, id, data, stamp) {
    this.#queue = queue;
    this.#stamp = stamp;
    this.id = id;
    this.data = data;
    /** How often the task was taken, this time included. */
    this.attempt = Number(stamp.slice(stamp.lastIndexOf('.') + 1));
  }

  /** Ends the task. */
  done() { return this.#queue.verbs.delete(['taskdone', this.#queue.name, this.#stamp]); }

  /** Holds the task for so many seconds from now, as the work takes longer. */
  keep(seconds) { return this.#queue.verbs.touch(['taskkeep', this.#queue.name, this.#stamp], seconds); }

  /** Gives the task back, to be taken after so many seconds. */
  retry(delay = 0) { return this.#queue.verbs.put(['taskretry', this.#queue.name, this.#stamp], when(delay)); }
}

/** Tasks, each of which is given out until a worker says that it is done. */
class Queue extends Structure {
  /** Puts a task, to be done after so many seconds, in place of any with the same id. */
  async put(id, data, delay = 0) { await this.verbs.put(['taskput', this.name, word(id), when(delay)], data); }

  /** Puts a task unless there is one with the same id, and resolves to whether it did. */
  add(id, data, delay = 0) { return this.verbs.add(['taskadd', this.name, word(id), when(delay)], data); }

  /**
   * Takes a task, which nobody else gets for `hold` seconds. Waits for one, at most `wait` seconds, which have to be fewer
   * than the client's time-out. With `most`, only tasks that were taken fewer times are given.
   * @returns {Promise<?Task>}
   */
  async take(hold, { most = null, wait = 0 } = {}) {
    const options = [...(most === null ? [] : ['most', most]), ...(wait > 0 ? ['wait', Math.ceil(wait * 1000)] : [])];
    for (const { words: [id, , , stamp], data } of records(await this.verbs.get(['tasktake', this.name, hold, 1, ...options]))) {
      return new Task(this, text(id), data, stamp);
    }
    return null;
  }

  /** Ends a task, whoever holds it. */
  drop(id) { return this.verbs.delete(['taskdrop', this.name, word(id)]); }

  /** The number of tasks, with those that are held, are not due, or failed too often. */
  async size() { return Number(await this.verbs.get(['tasklen', this.name])); }

  /**
   * Has all tasks done, until none is due for `wait` seconds, and resolves to how many succeeded. A task for which `work`
   * rejects is tried again after `pause` seconds, `attempts` times in all; `failed` is told of the task and the error.
   */
  async work(work, { hold, attempts = 10, pause = 60, wait = 0, failed = () => {} }) {
    let succeeded = 0;
    for (let task; (task = await this.take(hold, { most: attempts, wait }));) {
      try {
        await work(task);
      } catch (error) {
        failed(task, error);
        await task.retry(pause);
        continue;
      }
      if (await task.done()) succeeded++;
    }
    return succeeded;
  }
}

/** Members with scores, which are whole numbers; the highest come first. */
class Leaderboard extends Structure {
  /** Sets the score of a member. */
  async put(member, score) { await this.verbs.put(['zadd', this.name], `${score} ${word(member)}`); }

  /**
   * Adds points to a score, for so many seconds if that is given, and resolves to the new score. memcached knows no negative
   * results: if the score is below zero then, that rejects with VerbError; it is counted all the same.
   */
  add(member, points = 1, seconds = null) {
    const parts = seconds === null ? ['zincrby', this.name, word(member)] : ['zincrbyp', this.name, word(member), seconds];
    return this.verbs.count(parts, points);
  }

  /** The score of a member, null if there is none. */
  async score(member) {
    const found = await this.verbs.get(['zget', this.name, word(member)]);
    return found === null || found.toString() === 'null' ? null : Number(found);
  }

  /** The place of a member, from 0 for the highest score, null if there is none. */
  async place(member) {
    const found = await this.verbs.get(['zrevrank', this.name, word(member)]);
    return found === null ? null : Number(found);
  }

  /** The members with the highest scores, after so many others. */
  async top(count, offset = 0) { return scores(await this.verbs.get(['zrevrange', this.name, offset, count, 'withscores'])); }

  /** A member with so many before it and after it; none if it is not there. */
  async around(member, count) { return scores(await this.verbs.get(['zrevaround', this.name, word(member), count, 'withscores'])); }

  /** Removes a member. */
  async remove(member) { await this.verbs.delete(['zrem', this.name, word(member)]); }

  /** The number of members. */
  async size() { return Number(await this.verbs.get(['zcard', this.name])); }
}

/** Allows so many in any interval of so many seconds. */
class Limit extends Structure {
  #parts;

  constructor(verbs, name, count, seconds) {
    super(verbs, name);
    this.#parts = ['limit', name, count, seconds];
  }

  /** Counts so many more if all of them are allowed, and resolves to whether they are. */
  async allow(number = 1) { return await this.verbs.count(this.#parts, number) !== 0; }

  /**
   * Tells whether one more is allowed now, how many are, and in how many seconds it is worth asking again; counts nothing.
   * @returns {Promise<{allowed: boolean, left: number, wait: number}>}
   */
  async left() {
    const [allowed, left, milliseconds] = String(await this.verbs.get(this.#parts)).split(' ').map(Number);
    return { allowed: allowed === 1, left, wait: milliseconds / 1000 };
  }
}

/** A lock with a random token of its own, for one use at a time. */
class Lock extends Structure {
  #seconds;
  #places;
  #token = randomBytes(12).toString('base64url');

  constructor(verbs, name, seconds, holders) {
    super(verbs, name);
    this.#seconds = seconds;
    this.#places = holders === 1 ? [] : ['holders', holders];
  }

  /** Takes the lock, or, if this object holds it, holds it for as long again; false if another has it. */
  acquire() { return this.verbs.add(['lock', this.name, ...this.#places], this.#token, this.#seconds); }

  /** Holds the lock for so many seconds from now; false if it is not held any more. */
  extend(seconds) { return this.verbs.touch(['relock', this.name, this.#token], seconds); }

  /** Gives the lock back; false if it was not held any more. */
  release() { return this.verbs.delete(['unlock', this.name, this.#token]); }

  /**
   * Does the work under the lock, and resolves to its result. Rejects with LockHeld if another has the lock, and with
   * LockLost if the work has succeeded, but not under the lock.
   */
  async during(work) {
    if (!await this.acquire()) throw new LockHeld(`another holds the lock ${this.name}`);
    let result;
    try {
      result = await work(this);
    } catch (error) {
      await this.release();
      throw error;
    }
    if (!await this.release()) {
      throw new LockLost(`the lock ${this.name} was lost before its end: ask for more than ${this.#seconds} seconds, or extend it in time`);
    }
    return result;
  }
}

/** A set of texts. */
class Members extends Structure {
  /** Adds members. */
  async add(...members) { await this.verbs.put(['sadd', this.name], words(members)); }

  /** Adds members for so many seconds. */
  async addFor(seconds, ...members) { await this.verbs.put(['saddp', this.name, seconds], words(members)); }

  /** Adds a member, and resolves to whether it was not there. */
  addNew(member) { return this.verbs.add(['saddnew', this.name], word(member)); }

  /** Removes members, such as are there. */
  async remove(...members) { await this.verbs.put(['srem', this.name], words(members)); }

  /** Whether a member is there. */
  async has(member) { return String(await this.verbs.get(['sismember', this.name, word(member)])) === '1'; }

  /** The members. */
  async all() { return texts(await this.verbs.get(['smembers', this.name])); }

  /** The members that are in this set and in all others. */
  async common(...others) { return texts(await this.verbs.get(['sinter', this.name, ...others.map((other) => other.name)])); }

  /** The number of members. */
  async size() { return Number(await this.verbs.get(['scard', this.name])); }
}

/** The time of a task that is due after so many seconds. */
function when(delay) { return delay > 0 ? `+${Math.round(delay * 1000)}` : '0'; }

function words(members) { return members.map(word).join(' '); }

function texts(value) { return String(value ?? '').split(' ').filter(Boolean).map(text); }

/** Reads members, each followed by its score. */
function scores(value) {
  const found = texts(value);
  return Array.from({ length: found.length / 2 }, (_, i) => [found[2 * i], Number(found[2 * i + 1])]);
}

module.exports = { Verbs, VerbError, LockHeld, LockLost, overMemjs, overMemcached, word, text, records };
