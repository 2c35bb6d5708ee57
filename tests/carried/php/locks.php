<?php
check('add verb/lock/php-lock "alice"', $m->add('verb/lock/php-lock', 'alice', 30), true);
check('add verb/lock/php-lock "bob"', $m->add('verb/lock/php-lock', 'bob', 30), false);
check('why', $m->getResultCode(), NOT_ADDED);
check('touch verb/relock/php-lock/alice', $m->touch('verb/relock/php-lock/alice', 60), true);
check('touch verb/relock/php-lock/bob', $m->touch('verb/relock/php-lock/bob', 60), false);
check('delete verb/unlock/php-lock/bob', $m->delete('verb/unlock/php-lock/bob'), false);
check('why', $m->getResultCode(), NOT_YOURS);
check('delete verb/unlock/php-lock/alice', $m->delete('verb/unlock/php-lock/alice'), true);
// Of two who may crawl at the same time.
$crawl = 'verb/lock/php-crawl/holders/2';
check("add $crawl \"w1\"", $m->add($crawl, 'w1', 30), true);
check("add $crawl \"w2\"", $m->add($crawl, 'w2', 30), true);
check("add $crawl \"w3\"", $m->add($crawl, 'w3', 30), false);
check('why', $m->getResultCode(), NOT_ADDED);
check("add $crawl \"w2\" again", $m->add($crawl, 'w2', 30), true);
check('touch verb/relock/php-crawl/w2', $m->touch('verb/relock/php-crawl/w2', 60), true);
check('touch verb/relock/php-crawl/w3', $m->touch('verb/relock/php-crawl/w3', 60), false);
check('delete verb/unlock/php-crawl/w1', $m->delete('verb/unlock/php-crawl/w1'), true);
check("add $crawl \"w3\"", $m->add($crawl, 'w3', 30), true);
