<?php
// The client keeps the type of a value in its flags, so what comes back from a row has the type that was stored.
check('set verb/hset/php-table/name "Alice"', $m->set('verb/hset/php-table/name', 'Alice', 600), true);
check('set verb/hset/php-table/bytes', $m->set('verb/hset/php-table/bytes', "\0\r\n\xff "), true);
check('set verb/hset/php-table/tags', $m->set('verb/hset/php-table/tags', ['a' => 1, 'b' => [2.5, null]]), true);
check('set verb/hset/php-table/hits 41', $m->set('verb/hset/php-table/hits', 41), true);
check('set verb/hset/php-table/old "gone", long ago', $m->set('verb/hset/php-table/old', 'gone', LONG_AGO), true);
check('add verb/hadd/php-table/name "Bob"', $m->add('verb/hadd/php-table/name', 'Bob'), false);
check('why', $m->getResultCode(), NOT_ADDED);
check('add verb/hadd/php-table/city ""', $m->add('verb/hadd/php-table/city', '', 600), true);

check('get verb/hget/php-table/name', $m->get('verb/hget/php-table/name'), 'Alice');
check('get verb/hget/php-table/bytes', $m->get('verb/hget/php-table/bytes'), "\0\r\n\xff ");
check('get verb/hget/php-table/tags', $m->get('verb/hget/php-table/tags'), ['a' => 1, 'b' => [2.5, null]]);
check('get verb/hget/php-table/hits', $m->get('verb/hget/php-table/hits'), 41);
check('get verb/hget/php-table/city', $m->get('verb/hget/php-table/city'), '');
check('get verb/hget/php-table/old', $m->get('verb/hget/php-table/old'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('get verb/hexists/php-table/name', $m->get('verb/hexists/php-table/name'), '1');
check('get verb/hexists/php-table/old', $m->get('verb/hexists/php-table/old'), '0');

// Half of the flags is the user's.
$m->setOption(Memcached::OPT_USER_FLAGS, 7);
check('set verb/hset/php-table/mine "flagged", user flags 7', $m->set('verb/hset/php-table/mine', 'flagged'), true);
$m->setOption(Memcached::OPT_USER_FLAGS, 0);
$row = $m->get('verb/hget/php-table/mine', null, Memcached::GET_EXTENDED);
check('get verb/hget/php-table/mine, extended', [$row['value'], $row['flags']], ['flagged', 7]);

check('increment verb/hincr/php-table/hits', $m->increment('verb/hincr/php-table/hits'), 42);
check('decrement verb/hdecr/php-table/hits by 50', $m->decrement('verb/hdecr/php-table/hits', 50), 0);
check('increment verb/hincr/php-table/none', $m->increment('verb/hincr/php-table/none'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('increment verb/hincr/php-table/hits by 7', $m->increment('verb/hincr/php-table/hits', 7), 7);
check('get verb/hget/php-table/hits', $m->get('verb/hget/php-table/hits'), 7);

check('delete verb/hdel/php-table/tags', $m->delete('verb/hdel/php-table/tags'), true);
check('delete verb/hdel/php-table/tags', $m->delete('verb/hdel/php-table/tags'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('get verb/hkeys/php-table', $m->get('verb/hkeys/php-table'), 'name bytes hits city mine');
check('get verb/hlen/php-table', $m->get('verb/hlen/php-table'), '5');
// 1 is the client's flag of integers. The number has its old length, since memcached keeps it when it counts down.
check('get verb/hgetall/php-table', listed($m->get('verb/hgetall/php-table')), [
    ['name', 0, 'Alice'], ['bytes', 0, "\0\r\n\xff "], ['hits', 1, '7 '], ['city', 0, ''], ['mine', 7 << 16, 'flagged'],
]);

// A plain command on the key concerns the whole table.
check('touch php-table', $m->touch('php-table', 600), true);
check('get verb/hlen/php-table', $m->get('verb/hlen/php-table'), '5');
check('touch php-table, long ago', $m->touch('php-table', LONG_AGO), true);
check('get verb/hget/php-table/name', $m->get('verb/hget/php-table/name'), false);
check('set verb/hset/php-table/name "Carol"', $m->set('verb/hset/php-table/name', 'Carol'), true);
check('get verb/hkeys/php-table', $m->get('verb/hkeys/php-table'), 'name');
check('delete php-table', $m->delete('php-table'), true);
check('get verb/hgetall/php-table', $m->get('verb/hgetall/php-table'), false);
check('get verb/hlen/php-table', $m->get('verb/hlen/php-table'), false);
check('get verb/hexists/php-table/name', $m->get('verb/hexists/php-table/name'), false);
