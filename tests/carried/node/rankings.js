const { check, failure, longAgo } = require('./check.js');

module.exports = async (m) => {
  await fill(m);
  await ends(m);
  await count(m);
  await remove(m);
  await whole(m);
};

async function fill(m) {
  check("set verb/zadd/node-ranking '5 alice -2 bob 7 carol'", await m.set('verb/zadd/node-ranking', '5 alice -2 bob 7 carol', 600), true);
  check("set verb/zinc/node-ranking 'alice bob'", await m.set('verb/zinc/node-ranking', 'alice bob', 0), true);
  check("set verb/zdec/node-ranking 'carol'", await m.set('verb/zdec/node-ranking', 'carol', 0), true);
  check("set verb/zsub/node-ranking '3 bob'", await m.set('verb/zsub/node-ranking', '3 bob', 0), true);
  const best = await m.get('verb/zrevrange/node-ranking/0/-1/withscores');
  check('get verb/zrevrange/node-ranking/0/-1/withscores', best, 'carol 6 alice 6 bob -4');
  check('get verb/zrange/node-ranking/0/2', await m.get('verb/zrange/node-ranking/0/2'), 'bob alice');
  check('get verb/zget/node-ranking/bob', await m.get('verb/zget/node-ranking/bob'), '-4');
  check('get verb/zget/node-ranking/dave', await m.get('verb/zget/node-ranking/dave'), 'null');
  check('get verb/zrank/node-ranking/bob', await m.get('verb/zrank/node-ranking/bob'), '0');
  check('get verb/zrevrank/node-ranking/bob', await m.get('verb/zrevrank/node-ranking/bob'), '2');
  check('get verb/zrank/node-ranking/dave', await m.get('verb/zrank/node-ranking/dave'), undefined);
  check('get verb/zcard/node-ranking', await m.get('verb/zcard/node-ranking'), '3');
}

async function ends(m) {
  check("set verb/zmax/node-best '120 alice 95 bob 110 alice 7 eve'", await m.set('verb/zmax/node-best', '120 alice 95 bob 110 alice 7 eve', 0), true);
  check("set verb/zmin/node-best '90 eve 80 bob'", await m.set('verb/zmin/node-best', '90 eve 80 bob', 0), true);
  check('get verb/zcount/node-best/0/100', await m.get('verb/zcount/node-best/0/100'), '2');
  check('get verb/zbyscore/node-best/-/100/withscores', await m.get('verb/zbyscore/node-best/-/100/withscores'), 'eve 7 bob 80');
  check('get verb/zrevbyscore/node-best/+/-/page/1/1', await m.get('verb/zrevbyscore/node-best/+/-/page/1/1'), 'bob');
  check('get verb/zaround/node-best/bob/1', await m.get('verb/zaround/node-best/bob/1'), 'eve bob alice');
  check('get verb/zrevaround/node-best/alice/1/withscores', await m.get('verb/zrevaround/node-best/alice/1/withscores'), 'alice 120 bob 80');
  check('get verb/zaround/node-best/dave/1', await m.get('verb/zaround/node-best/dave/1'), undefined);
  check('get verb/zpopmin/node-best', await m.get('verb/zpopmin/node-best'), 'eve 7');
  check("set verb/ztrim/node-best '1'", await m.set('verb/ztrim/node-best', '1', 0), true);
  check('get verb/zpopmax/node-best/count/5', await m.get('verb/zpopmax/node-best/count/5'), 'alice 120');
  check('get verb/zpopmax/node-best', await m.get('verb/zpopmax/node-best'), undefined);
  check('del node-best', await m.del('node-best'), true);
}

async function count(m) {
  check('incr verb/zincrby/node-ranking/alice by 1', await m.incr('verb/zincrby/node-ranking/alice', 1), 7);
  check('decr verb/zincrby/node-ranking/alice by 2', await m.decr('verb/zincrby/node-ranking/alice', 2), 5);
  check('incr verb/zincrby/node-ranking/dave by 4', await m.incr('verb/zincrby/node-ranking/dave', 4), 4);
  check('incr verb/zincrbyp/node-ranking/dave/3600 by 10', await m.incr('verb/zincrbyp/node-ranking/dave/3600', 10), 14);
  check('decr verb/zincrbyp/node-ranking/dave/3600 by 1', await m.decr('verb/zincrbyp/node-ranking/dave/3600', 1), 13);
  // Below 0 it counts, but the client can't be told the score.
  const told = await failure(m.decr('verb/zincrby/node-ranking/bob', 1));
  check('decr verb/zincrby/node-ranking/bob by 1', told.includes('-5'), true);
  check('get verb/zget/node-ranking/bob', await m.get('verb/zget/node-ranking/bob'), '-5');
}

async function remove(m) {
  check('del verb/zrem/node-ranking/bob', await m.del('verb/zrem/node-ranking/bob'), true);
  check('del verb/zrem/node-ranking/bob, who is not there', await m.del('verb/zrem/node-ranking/bob'), true);
  check('del verb/zrem/none/bob', await m.del('verb/zrem/none/bob'), false);
  const left = await m.get('verb/zrange/node-ranking/0/-1/withscores');
  check('get verb/zrange/node-ranking/0/-1/withscores', left, 'alice 5 carol 6 dave 13');
  check('get verb/zrange/none/0/-1', await m.get('verb/zrange/none/0/-1'), undefined);
  check('get verb/zget/none/alice', await m.get('verb/zget/none/alice'), undefined);
  check('get verb/zcard/none', await m.get('verb/zcard/none'), undefined);
}

async function whole(m) {
  // An exptime is that of a ranking which the change creates, not of one that is there.
  check("set verb/zadd/node-ranking '1 alice', long ago", await m.set('verb/zadd/node-ranking', '1 alice', longAgo), true);
  check('get verb/zget/node-ranking/alice', await m.get('verb/zget/node-ranking/alice'), '1');
  check("set verb/zinc/node-old-ranking 'alice', long ago", await m.set('verb/zinc/node-old-ranking', 'alice', longAgo), true);
  check('get verb/zcard/node-old-ranking', await m.get('verb/zcard/node-old-ranking'), undefined);
  check('touch node-ranking', await m.touch('node-ranking', 600), true);
  check('del node-ranking', await m.del('node-ranking'), true);
  check('get verb/zcard/node-ranking', await m.get('verb/zcard/node-ranking'), undefined);
}
