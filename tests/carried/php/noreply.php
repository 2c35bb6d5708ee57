<?php
// Without replies (QUIET) the client takes every change for a success. The reads afterwards show what became of them, and that
// no reply was left on the connection.

$m->setOption(Memcached::OPT_NOREPLY, QUIET);
$m->set('verb/rpush/php-quiet', 'a b c', 600);
$m->set('verb/lpush/php-quiet', 'x y');
$m->set('verb/lrem/php-quiet/1', 'b');
$m->set('verb/ltrim/php-quiet', '1 -1');
$m->set('verb/lrem/none/1', 'b');
$m->set('verb/lrem/php-quiet/few', 'b');
$m->set('verb/hset/php-quiet-table/name', 'Alice', 600);
$m->add('verb/hadd/php-quiet-table/name', 'Bob');
$m->add('verb/hadd/php-quiet-table/hits', 41);
$m->increment('verb/hincr/php-quiet-table/hits');
$m->decrement('verb/hdecr/php-quiet-table/none');
$m->set('verb/hset/php-quiet-table/old', 'gone');
$m->delete('verb/hdel/php-quiet-table/old');
$m->delete('verb/hdel/php-quiet-table/none');
$m->set('verb/hset/php-quiet-table', 'no field');
$m->set('verb/zadd/php-quiet-ranking', '5 alice 2 bob -1 carol', 600);
$m->set('verb/zinc/php-quiet-ranking', 'alice');
$m->increment('verb/zincrby/php-quiet-ranking/bob', 40);
$m->decrement('verb/zincrby/php-quiet-ranking/carol', 2);
$m->increment('verb/zincrbyp/php-quiet-ranking/alice/3600');
$m->delete('verb/zrem/php-quiet-ranking/bob');
$m->delete('verb/zrem/none/bob');
$m->set('verb/zadd/php-quiet-ranking', 'no score');
$m->setOption(Memcached::OPT_NOREPLY, false);

check('getMulti of what was changed without replies', $m->getMulti([
    'verb/lrange/php-quiet', 'verb/hkeys/php-quiet-table', 'verb/hget/php-quiet-table/name', 'verb/hget/php-quiet-table/hits',
    'verb/zrange/php-quiet-ranking/0/-1/withscores',
]), [
    'verb/lrange/php-quiet' => 'x a c', 'verb/hkeys/php-quiet-table' => 'name hits', 'verb/hget/php-quiet-table/name' => 'Alice',
    'verb/hget/php-quiet-table/hits' => 42, 'verb/zrange/php-quiet-ranking/0/-1/withscores' => 'carol -3 alice 7',
]);
