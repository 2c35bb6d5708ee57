<?php
// Sets, event logs and locks from php-memcached: php php-memcached.php HOST PORT
// Strings go as they are; only the compression of long ones must be off.

function check(string $what, $got, $expected): void
{
    if ($got !== $expected) {
        exit("php-memcached: $what: got " . var_export($got, true) . ', expected ' . var_export($expected, true) . "\n");
    }
    echo "$what -> ", json_encode($got), "\n";
}

$m = new Memcached();
$m->setOption(Memcached::OPT_COMPRESSION, false);
$m->addServer($argv[1], (int) $argv[2]);

check('set verb/sadd/php "apple pear plum"', $m->set('verb/sadd/php', 'apple pear plum', 600), true);
check('set verb/srem/php "pear"', $m->set('verb/srem/php', 'pear'), true);
check('get verb/smembers/php', $m->get('verb/smembers/php'), 'apple plum');
check('get verb/scard/php', $m->get('verb/scard/php'), '2');
check('getMulti of two verbs and a key', $m->getMulti(['verb/sismember/php/apple', 'verb/sismember/php/pear', 'none']),
    ['verb/sismember/php/apple' => '1', 'verb/sismember/php/pear' => '0']);
check('set verb/srem/none', $m->set('verb/srem/none', 'a'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTSTORED);
check('get verb/smembers/none', $m->get('verb/smembers/none'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);

check('set verb/logput/php-log "logged in"', $m->set('verb/logput/php-log', 'logged in'), true);
check('set verb/logput/php-log "logged out"', $m->set('verb/logput/php-log', 'logged out'), true);
$events = $m->get('verb/logfetch/php-log');
for ($data = []; $events !== ''; $events = substr($events, strlen($line[0]) + (int) $line[1] + 1)) {
    preg_match('/^\d+ \d+ (\d+)\n/', $events, $line);
    $data[] = substr($events, strlen($line[0]), (int) $line[1]);
}
check('get verb/logfetch/php-log', $data, ['logged in', 'logged out']);

check('add verb/lock/php-lock "alice"', $m->add('verb/lock/php-lock', 'alice', 30), true);
check('add verb/lock/php-lock "bob"', $m->add('verb/lock/php-lock', 'bob', 30), false);
check('why', $m->getResultCode(), Memcached::RES_NOTSTORED);
check('touch verb/relock/php-lock/alice', $m->touch('verb/relock/php-lock/alice', 60), true);
check('touch verb/relock/php-lock/bob', $m->touch('verb/relock/php-lock/bob', 60), false);
check('delete verb/unlock/php-lock/bob', $m->delete('verb/unlock/php-lock/bob'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('delete verb/unlock/php-lock/alice', $m->delete('verb/unlock/php-lock/alice'), true);
echo "ok\n";
