const { check, failure, listed, longAgo } = require('./check.js');

module.exports = async (m) => {
  await fill(m);
  await count(m);
  await show(m);
  await whole(m);
};

// The client shows nobody the flags of a value. It keeps the type there, so what comes back has the type that was stored.
async function fill(m) {
  check("set verb/hset/node-table/name 'Zoë'", await m.set('verb/hset/node-table/name', 'Zoë', 600), true);
  check('set verb/hset/node-table/bytes', await m.set('verb/hset/node-table/bytes', Buffer.from([0, 13, 10, 255, 32]), 0), true);
  check('set verb/hset/node-table/tags', await m.set('verb/hset/node-table/tags', { a: [1, null] }, 0), true);
  check('set verb/hset/node-table/hits 41', await m.set('verb/hset/node-table/hits', 41, 0), true);
  check("set verb/hset/node-table/old 'gone', long ago", await m.set('verb/hset/node-table/old', 'gone', longAgo), true);
  check("add verb/hadd/node-table/name 'Bob'", await failure(m.add('verb/hadd/node-table/name', 'Bob', 0)), 'Item is not stored');
  check("add verb/hadd/node-table/city ''", await m.add('verb/hadd/node-table/city', '', 600), true);

  check('get verb/hget/node-table/name', await m.get('verb/hget/node-table/name'), 'Zoë');
  check('get verb/hget/node-table/bytes', await m.get('verb/hget/node-table/bytes'), Buffer.from([0, 13, 10, 255, 32]));
  check('get verb/hget/node-table/tags', await m.get('verb/hget/node-table/tags'), { a: [1, null] });
  check('get verb/hget/node-table/hits', await m.get('verb/hget/node-table/hits'), 41);
  check('get verb/hget/node-table/city', await m.get('verb/hget/node-table/city'), '');
  check('get verb/hget/node-table/old', await m.get('verb/hget/node-table/old'), undefined);
  check('get verb/hexists/node-table/name', await m.get('verb/hexists/node-table/name'), '1');
  check('get verb/hexists/node-table/old', await m.get('verb/hexists/node-table/old'), '0');
}

async function count(m) {
  check('incr verb/hincr/node-table/hits by 1', await m.incr('verb/hincr/node-table/hits', 1), 42);
  check('decr verb/hdecr/node-table/hits by 50', await m.decr('verb/hdecr/node-table/hits', 50), 0);
  check('incr verb/hincr/node-table/hits by 7', await m.incr('verb/hincr/node-table/hits', 7), 7);
  check('incr verb/hincr/node-table/none by 1', await m.incr('verb/hincr/node-table/none', 1), false);
  check('get verb/hget/node-table/hits', await m.get('verb/hget/node-table/hits'), 7);
}

async function show(m) {
  check('del verb/hdel/node-table/tags', await m.del('verb/hdel/node-table/tags'), true);
  check('del verb/hdel/node-table/tags', await m.del('verb/hdel/node-table/tags'), false);
  // The client stores line ends with a backslash before each, and removes these from whatever it gets. Of a listing it
  // removes them too, so the lengths of such rows are wrong there, and this row must go first.
  check('del verb/hdel/node-table/bytes', await m.del('verb/hdel/node-table/bytes'), true);
  check('get verb/hkeys/node-table', await m.get('verb/hkeys/node-table'), 'name hits city');
  check('get verb/hlen/node-table', await m.get('verb/hlen/node-table'), '3');
  // 8 is the client's flag of numbers. The number has its old length, since memcached keeps it when it counts down.
  check('get verb/hgetall/node-table', listed(await m.get('verb/hgetall/node-table')), [
    ['name', 0, 'Zoë'],
    ['hits', 8, '7 '],
    ['city', 0, ''],
  ]);
}

// A plain command on the key concerns the whole table.
async function whole(m) {
  check('touch node-table', await m.touch('node-table', 600), true);
  check('get verb/hlen/node-table', await m.get('verb/hlen/node-table'), '3');
  check('touch node-table, long ago', await m.touch('node-table', longAgo), true);
  check('get verb/hget/node-table/name', await m.get('verb/hget/node-table/name'), undefined);
  check("set verb/hset/node-table/name 'Carol'", await m.set('verb/hset/node-table/name', 'Carol', 0), true);
  check('get verb/hkeys/node-table', await m.get('verb/hkeys/node-table'), 'name');
  check('del node-table', await m.del('node-table'), true);
  check('get verb/hgetall/node-table', await m.get('verb/hgetall/node-table'), undefined);
  check('get verb/hlen/node-table', await m.get('verb/hlen/node-table'), undefined);
  check('get verb/hexists/node-table/name', await m.get('verb/hexists/node-table/name'), undefined);
}
