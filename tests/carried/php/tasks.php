<?php
// Takes the value of a tasktake apart: <id> <flags> <bytes> <stamp>, line feed, data, line feed.
function taken(string $value): array
{
    for ($found = []; $value !== ''; $value = substr($value, strlen($line[0]) + (int) $line[3] + 1)) {
        preg_match('/^(\S+) (\d+) (\d+) (\S+)\n/', $value, $line);
        $found[] = [$line[1], (int) $line[2], substr($value, strlen($line[0]), (int) $line[3]), $line[4]];
    }
    return $found;
}

check('set verb/taskput/php-tasks/a/0 "Alice"', $m->set('verb/taskput/php-tasks/a/0', 'Alice', 600), true);
check('set verb/taskput/php-tasks/later/1906400000000', $m->set('verb/taskput/php-tasks/later/1906400000000', 'x'), true);
[$first] = taken($m->get('verb/tasktake/php-tasks/30'));
check('get verb/tasktake/php-tasks/30', array_slice($first, 0, 3), ['a', 0, 'Alice']);
check('get verb/tasktake/php-tasks/30, when nothing is due', $m->get('verb/tasktake/php-tasks/30'), false);
check('touch verb/taskkeep/php-tasks/…', $m->touch("verb/taskkeep/php-tasks/$first[3]", 60), true);
check('touch verb/taskkeep/php-tasks/…, until a time', $m->touch("verb/taskkeep/php-tasks/$first[3]", time() + 60), true);
check('touch verb/taskkeep/php-tasks/…, until one that is over', $m->touch("verb/taskkeep/php-tasks/$first[3]", time() - 60), true);
check('set verb/taskretry/php-tasks/… "0"', $m->set("verb/taskretry/php-tasks/$first[3]", '0'), true);
[$second] = taken($m->get('verb/tasktake/php-tasks/30'));
check('the stamp of the second attempt', $second[3], substr($first[3], 0, -1) . '2');
check('touch verb/taskkeep/php-tasks/…, of the first', $m->touch("verb/taskkeep/php-tasks/$first[3]", 60), false);
check('set verb/taskretry/php-tasks/…, of the first', $m->set("verb/taskretry/php-tasks/$first[3]", '0'), false);
check('delete verb/taskdone/php-tasks/…, of the first', $m->delete("verb/taskdone/php-tasks/$first[3]"), false);
check('why', $m->getResultCode(), NOT_YOURS);
check('delete verb/taskdone/php-tasks/…', $m->delete("verb/taskdone/php-tasks/$second[3]"), true);
check('get verb/tasklist/php-tasks', listed($m->get('verb/tasklist/php-tasks')), [['later', 0, '1906400000000 0 0']]);
check('delete verb/taskdrop/php-tasks/later', $m->delete('verb/taskdrop/php-tasks/later'), true);
check('delete verb/taskdrop/php-tasks/later', $m->delete('verb/taskdrop/php-tasks/later'), false);

check('add verb/taskadd/php-once/a/1906400000000', $m->add('verb/taskadd/php-once/a/1906400000000', ['x' => 1]), true);
check('add verb/taskadd/php-once/a/0', $m->add('verb/taskadd/php-once/a/0', 'y'), false);
[$peeked] = taken($m->get('verb/taskpeek/php-once/a'));
check('get verb/taskpeek/php-once/a', [$peeked[0], $peeked[2], substr($peeked[3], -2)], ['a', serialize(['x' => 1]), '.0']);
check('get verb/taskpeek/php-once/b', $m->get('verb/taskpeek/php-once/b'), false);
check('set verb/taskmove/php-once/a "0"', $m->set('verb/taskmove/php-once/a', '0'), true);
check('get verb/tasktake/php-once/30/most/1', count(taken($m->get('verb/tasktake/php-once/30/most/1'))), 1);
check('set verb/taskmove/php-once/a "0", held', $m->set('verb/taskmove/php-once/a', '0'), false);
check('get verb/tasktake/php-once/30/5/most/1', $m->get('verb/tasktake/php-once/30/5/most/1'), false);

// Several at once, beside others. The client's type of a value is in its flags.
$two = ['verb/taskput/php-tasks/bytes/1600000000001' => "\0\r\n\xff ", 'verb/taskput/php-tasks/number/1600000000002' => 41];
check('setMulti', $m->setMulti($two), true);
$got = $m->getMulti(['verb/tasktake/php-tasks/30/10', 'verb/tasklen/php-tasks', 'verb/tasktake/none/30']);
$both = taken($got['verb/tasktake/php-tasks/30/10']);
check('getMulti that takes two', array_map(fn($task) => array_slice($task, 0, 3), $both),
    [['bytes', 0, "\0\r\n\xff "], ['number', 1, '41']]);
check('and what else it got', [count($got), $got['verb/tasklen/php-tasks']], [2, '2']);
check('deleteMulti', $m->deleteMulti(["verb/taskdone/php-tasks/{$both[0][3]}", 'verb/taskdrop/php-tasks/none']),
    ["verb/taskdone/php-tasks/{$both[0][3]}" => true, 'verb/taskdrop/php-tasks/none' => Memcached::RES_NOTFOUND]);

// Without replies, if QUIET.
$m->setOption(Memcached::OPT_NOREPLY, QUIET);
$m->set('verb/taskput/php-tasks/quiet/0', 'q');
$m->touch("verb/taskkeep/php-tasks/{$both[1][3]}", 60);
$m->set("verb/taskretry/php-tasks/{$both[1][3]}", '1906400000000');
$m->delete('verb/taskdrop/php-tasks/none');
$m->set('verb/taskput/php-tasks/quiet', 'no time');
$m->setOption(Memcached::OPT_NOREPLY, false);
[$quiet] = taken($m->get('verb/tasktake/php-tasks/30'));
check('get verb/tasktake/php-tasks/30', array_slice($quiet, 0, 3), ['quiet', 0, 'q']);
$m->setOption(Memcached::OPT_NOREPLY, QUIET);
$m->delete("verb/taskdone/php-tasks/$quiet[3]");
$m->setOption(Memcached::OPT_NOREPLY, false);
check('get verb/tasklist/php-tasks', listed($m->get('verb/tasklist/php-tasks')), [['number', 0, '1906400000000 1 0']]);
check('delete php-tasks', $m->delete('php-tasks'), true);
check('get verb/tasklen/php-tasks', $m->get('verb/tasklen/php-tasks'), false);
