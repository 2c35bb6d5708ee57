<?php
// One getMulti for plain keys, a set, a list, a table and a ranking.

check('set php-plain', $m->set('php-plain', 'as it is'), true);
check('set verb/rpush/php-queue "a b c"', $m->set('verb/rpush/php-queue', 'a b c'), true);
check('set verb/hset/php-user/name "Alice"', $m->set('verb/hset/php-user/name', 'Alice'), true);
check('set verb/hset/php-user/age 30', $m->set('verb/hset/php-user/age', 30), true);
check('set verb/zadd/php-points "7 bob 9 alice"', $m->set('verb/zadd/php-points', '7 bob 9 alice'), true);
check('getMulti of everything', $m->getMulti([
    'php-plain', 'verb/lrange/php-queue/0/1', 'verb/hget/php-user/age', 'none', 'verb/llen/php-queue', 'verb/hget/php-user/none',
    'verb/hkeys/php-user', 'verb/lrange/none', 'verb/hexists/php-user/name', 'verb/scard/php', 'verb/hlen/none',
    'verb/zrevrange/php-points/0/1/withscores', 'verb/zget/php-points/bob', 'verb/zrank/php-points/none', 'verb/zcard/php-points',
], Memcached::GET_PRESERVE_ORDER), [
    'php-plain' => 'as it is', 'verb/lrange/php-queue/0/1' => 'a b', 'verb/hget/php-user/age' => 30, 'none' => null,
    'verb/llen/php-queue' => '3', 'verb/hget/php-user/none' => null, 'verb/hkeys/php-user' => 'name age', 'verb/lrange/none' => null,
    'verb/hexists/php-user/name' => '1', 'verb/scard/php' => '2', 'verb/hlen/none' => null,
    'verb/zrevrange/php-points/0/1/withscores' => 'alice 9', 'verb/zget/php-points/bob' => '7', 'verb/zrank/php-points/none' => null,
    'verb/zcard/php-points' => '2',
]);
$got = $m->getMulti(['verb/lpop/php-queue', 'verb/hgetall/php-user', 'php-plain']);
check('getMulti that takes an element', [$got['verb/lpop/php-queue'], listed($got['verb/hgetall/php-user']), $got['php-plain']],
    ['a', [['name', 0, 'Alice'], ['age', 1, '30']], 'as it is']);
check('setMulti', $m->setMulti(['php-plain' => 'new', 'verb/lpush/php-queue' => 'z', 'verb/hset/php-user/name' => 'Bob',
    'verb/zinc/php-points' => 'bob']), true);
check('getMulti', $m->getMulti(['php-plain', 'verb/lrange/php-queue', 'verb/hget/php-user/name', 'verb/zget/php-points/bob']),
    ['php-plain' => 'new', 'verb/lrange/php-queue' => 'z b c', 'verb/hget/php-user/name' => 'Bob', 'verb/zget/php-points/bob' => '8']);
check('deleteMulti', $m->deleteMulti(['php-plain', 'verb/hdel/php-user/name', 'verb/hdel/php-user/none', 'verb/zrem/php-points/bob', 'php-queue']),
    ['php-plain' => true, 'verb/hdel/php-user/name' => true, 'verb/hdel/php-user/none' => Memcached::RES_NOTFOUND,
        'verb/zrem/php-points/bob' => true, 'php-queue' => true]);
