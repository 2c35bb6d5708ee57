<?php
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
check('add verb/saddnew/php-seen "a"', $m->add('verb/saddnew/php-seen', 'a', 600), true);
check('add verb/saddnew/php-seen "a" again', $m->add('verb/saddnew/php-seen', 'a'), false);
check('set verb/schange/php-seen "-a +plum +fig"', $m->set('verb/schange/php-seen', '-a +plum +fig'), true);
check('set verb/saddp/php-seen/600 "kiwi fig"', $m->set('verb/saddp/php-seen/600', 'kiwi fig'), true);
check('get verb/smembers/php-seen', $m->get('verb/smembers/php-seen'), 'plum kiwi fig');
check('set verb/schange/php-seen "-kiwi"', $m->set('verb/schange/php-seen', '-kiwi'), true);
check('set verb/schange/none "-a"', $m->set('verb/schange/none', '-a'), false);
check('getMulti of sums', $m->getMulti(['verb/sinter/php/php-seen', 'verb/sunion/php/none/php-seen', 'verb/sdiff/php/php-seen']),
    ['verb/sinter/php/php-seen' => 'plum', 'verb/sunion/php/none/php-seen' => 'apple plum fig', 'verb/sdiff/php/php-seen' => 'apple']);
