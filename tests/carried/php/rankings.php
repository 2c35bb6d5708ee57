<?php
check('set verb/zadd/php-ranking "5 alice -2 bob 7 carol"', $m->set('verb/zadd/php-ranking', '5 alice -2 bob 7 carol', 600), true);
check('set verb/zinc/php-ranking "alice bob"', $m->set('verb/zinc/php-ranking', 'alice bob'), true);
check('set verb/zdec/php-ranking "carol"', $m->set('verb/zdec/php-ranking', 'carol'), true);
check('set verb/zsub/php-ranking "3 bob"', $m->set('verb/zsub/php-ranking', '3 bob'), true);
check('get verb/zrevrange/php-ranking/0/-1/withscores', $m->get('verb/zrevrange/php-ranking/0/-1/withscores'), 'carol 6 alice 6 bob -4');
check('get verb/zrange/php-ranking/0/2', $m->get('verb/zrange/php-ranking/0/2'), 'bob alice');
check('get verb/zget/php-ranking/bob', $m->get('verb/zget/php-ranking/bob'), '-4');
check('get verb/zget/php-ranking/dave', $m->get('verb/zget/php-ranking/dave'), 'null');
check('get verb/zrank/php-ranking/bob', $m->get('verb/zrank/php-ranking/bob'), '0');
check('get verb/zrevrank/php-ranking/bob', $m->get('verb/zrevrank/php-ranking/bob'), '2');
check('get verb/zrank/php-ranking/dave', $m->get('verb/zrank/php-ranking/dave'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('get verb/zcard/php-ranking', $m->get('verb/zcard/php-ranking'), '3');

check('set verb/zmax/php-best "120 alice 95 bob 110 alice 7 eve"', $m->set('verb/zmax/php-best', '120 alice 95 bob 110 alice 7 eve'), true);
check('set verb/zmin/php-best "90 eve 80 bob"', $m->set('verb/zmin/php-best', '90 eve 80 bob'), true);
check('get verb/zcount/php-best/0/100', $m->get('verb/zcount/php-best/0/100'), '2');
check('get verb/zbyscore/php-best/-/100/withscores', $m->get('verb/zbyscore/php-best/-/100/withscores'), 'eve 7 bob 80');
check('get verb/zrevbyscore/php-best/+/-/page/1/1', $m->get('verb/zrevbyscore/php-best/+/-/page/1/1'), 'bob');
check('get verb/zaround/php-best/bob/1', $m->get('verb/zaround/php-best/bob/1'), 'eve bob alice');
check('get verb/zrevaround/php-best/alice/1/withscores', $m->get('verb/zrevaround/php-best/alice/1/withscores'), 'alice 120 bob 80');
check('get verb/zaround/php-best/dave/1', $m->get('verb/zaround/php-best/dave/1'), false);
check('get verb/zpopmin/php-best', $m->get('verb/zpopmin/php-best'), 'eve 7');
check('set verb/ztrim/php-best "1"', $m->set('verb/ztrim/php-best', '1'), true);
check('get verb/zpopmax/php-best/count/5', $m->get('verb/zpopmax/php-best/count/5'), 'alice 120');
check('get verb/zpopmax/php-best', $m->get('verb/zpopmax/php-best'), false);
check('delete php-best', $m->delete('php-best'), true);

check('increment verb/zincrby/php-ranking/alice', $m->increment('verb/zincrby/php-ranking/alice'), 7);
check('decrement verb/zincrby/php-ranking/alice by 2', $m->decrement('verb/zincrby/php-ranking/alice', 2), 5);
check('increment verb/zincrby/php-ranking/dave by 4', $m->increment('verb/zincrby/php-ranking/dave', 4), 4);
check('increment verb/zincrbyp/php-ranking/dave/3600 by 10', $m->increment('verb/zincrbyp/php-ranking/dave/3600', 10), 14);
check('decrement verb/zincrbyp/php-ranking/dave/3600', $m->decrement('verb/zincrbyp/php-ranking/dave/3600'), 13);
// Below 0 it counts, but the client can't be told the score.
check('decrement verb/zincrby/php-ranking/bob', $m->decrement('verb/zincrby/php-ranking/bob'), false);
check('why', $m->getResultCode(), REFUSED);
check('get verb/zget/php-ranking/bob', $m->get('verb/zget/php-ranking/bob'), '-5');

check('delete verb/zrem/php-ranking/bob', $m->delete('verb/zrem/php-ranking/bob'), true);
check('delete verb/zrem/php-ranking/bob, who is not there', $m->delete('verb/zrem/php-ranking/bob'), true);
check('delete verb/zrem/none/bob', $m->delete('verb/zrem/none/bob'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('get verb/zrange/php-ranking/0/-1/withscores', $m->get('verb/zrange/php-ranking/0/-1/withscores'), 'alice 5 carol 6 dave 13');

check('get verb/zrange/none/0/-1', $m->get('verb/zrange/none/0/-1'), false);
check('get verb/zget/none/alice', $m->get('verb/zget/none/alice'), false);
check('get verb/zcard/none', $m->get('verb/zcard/none'), false);

// An exptime is that of a ranking which the change creates, not of one that is there.
check('set verb/zadd/php-ranking "1 alice", long ago', $m->set('verb/zadd/php-ranking', '1 alice', LONG_AGO), true);
check('get verb/zget/php-ranking/alice', $m->get('verb/zget/php-ranking/alice'), '1');
check('set verb/zinc/php-old-ranking "alice", long ago', $m->set('verb/zinc/php-old-ranking', 'alice', LONG_AGO), true);
check('get verb/zcard/php-old-ranking', $m->get('verb/zcard/php-old-ranking'), false);
check('touch php-ranking', $m->touch('php-ranking', 600), true);
check('delete php-ranking', $m->delete('php-ranking'), true);
check('get verb/zcard/php-ranking', $m->get('verb/zcard/php-ranking'), false);
