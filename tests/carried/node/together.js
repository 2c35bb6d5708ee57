// One getMulti for plain keys, a set, a list, a table and a ranking.
const { check, listed } = require('./check.js');

module.exports = async (m) => {
  check("set node-plain 'as it is'", await m.set('node-plain', 'as it is', 0), true);
  check("set verb/rpush/node-queue 'a b c'", await m.set('verb/rpush/node-queue', 'a b c', 0), true);
  check("set verb/hset/node-user/name 'Alice'", await m.set('verb/hset/node-user/name', 'Alice', 0), true);
  check('set verb/hset/node-user/age 30', await m.set('verb/hset/node-user/age', 30, 0), true);
  check("set verb/zadd/node-points '7 bob 9 alice'", await m.set('verb/zadd/node-points', '7 bob 9 alice', 0), true);
  check(
    'getMulti of everything',
    {
      ...(await m.getMulti([
        'node-plain', 'verb/lrange/node-queue/0/1', 'verb/hget/node-user/age', 'none', 'verb/llen/node-queue',
        'verb/hget/node-user/none', 'verb/hkeys/node-user', 'verb/lrange/none', 'verb/hexists/node-user/name',
        'verb/scard/node', 'verb/hlen/none', 'verb/zrevrange/node-points/0/1/withscores', 'verb/zget/node-points/bob',
        'verb/zrank/node-points/none', 'verb/zcard/node-points',
      ])),
    },
    {
      'node-plain': 'as it is', 'verb/lrange/node-queue/0/1': 'a b', 'verb/hget/node-user/age': 30, 'verb/llen/node-queue': '3',
      'verb/hkeys/node-user': 'name age', 'verb/hexists/node-user/name': '1', 'verb/scard/node': '2',
      'verb/zrevrange/node-points/0/1/withscores': 'alice 9', 'verb/zget/node-points/bob': '7', 'verb/zcard/node-points': '2',
    },
  );
  const got = await m.getMulti(['verb/lpop/node-queue', 'verb/hgetall/node-user', 'node-plain']);
  check(
    'getMulti that takes an element',
    [got['verb/lpop/node-queue'], listed(got['verb/hgetall/node-user']), got['node-plain']],
    ['a', [['name', 0, 'Alice'], ['age', 8, '30']], 'as it is'],
  );
  // Many requests at once go over several connections.
  const pushes = Array.from({ length: 20 }, (_, i) => m.set('verb/rpush/node-queue', `v${i}`, 0));
  const rows = Array.from({ length: 20 }, (_, i) => m.set(`verb/hset/node-user/f${i}`, i, 0));
  check('40 sets at once', (await Promise.all([...pushes, ...rows])).every((stored) => stored), true);
  const counts = await Promise.all(Array.from({ length: 20 }, () => m.incr('verb/zincrby/node-points/bob', 1)));
  check('20 counts at once', counts.sort((a, b) => a - b), Array.from({ length: 20 }, (_, i) => 8 + i));
  check(
    'getMulti',
    { ...(await m.getMulti(['verb/llen/node-queue', 'verb/hlen/node-user', 'verb/hget/node-user/f19'])) },
    { 'verb/llen/node-queue': '22', 'verb/hlen/node-user': '22', 'verb/hget/node-user/f19': 19 },
  );
};
