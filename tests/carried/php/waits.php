<?php
// A get that waits answers as soon as there is something, and misses when the time is over.
$m->set('verb/rpush/php-waits', 'a b', 600);
check('get verb/lpop/php-waits/wait/60000', $m->get('verb/lpop/php-waits/wait/60000'), 'a');
check('get verb/rpop/php-waits/5/wait/60000', $m->get('verb/rpop/php-waits/5/wait/60000'), 'b');
foreach (['lpop/php-waits/wait/1', 'rpop/php-waits/5/wait/1', 'tasktake/php-waits-tasks/30/1/wait/1', 'logfetch/php-waits-log/1/wait/1'] as $key) {
    check("get verb/$key", $m->get("verb/$key"), false);
    check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
}
$m->set('verb/taskput/php-waits-tasks/a/0', 'Alice');
check('get verb/tasktake/php-waits-tasks/30/1/wait/60000', taken($m->get('verb/tasktake/php-waits-tasks/30/1/wait/60000'))[0][2], 'Alice');
$m->set('verb/logput/php-waits-log', 'logged in');
check('get verb/logfetch/php-waits-log/1/wait/60000', listed($m->get('verb/logfetch/php-waits-log/1/wait/60000'))[0][2], 'logged in');
