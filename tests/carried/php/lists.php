<?php
check('set verb/rpush/php-list "a b c"', $m->set('verb/rpush/php-list', 'a b c', 600), true);
check('set verb/lpush/php-list "x c y"', $m->set('verb/lpush/php-list', 'x c y'), true);
check('get verb/lrange/php-list', $m->get('verb/lrange/php-list'), 'y c x a b c');
check('get verb/lrange/php-list/1/-3', $m->get('verb/lrange/php-list/1/-3'), 'c x a');
check('get verb/llen/php-list', $m->get('verb/llen/php-list'), '6');
check('set verb/lrem/php-list/-1 "c"', $m->set('verb/lrem/php-list/-1', 'c'), true);
check('get verb/lrange/php-list', $m->get('verb/lrange/php-list'), 'y c x a b');
check('set verb/ltrim/php-list "1 -2"', $m->set('verb/ltrim/php-list', '1 -2'), true);
check('get verb/lrange/php-list', $m->get('verb/lrange/php-list'), 'c x a');

check('get verb/lpop/php-list', $m->get('verb/lpop/php-list'), 'c');
check('get verb/rpop/php-list/5', $m->get('verb/rpop/php-list/5'), 'a x');
check('get verb/lpop/php-list, which is empty now', $m->get('verb/lpop/php-list'), false);
check('get verb/llen/php-list', $m->get('verb/llen/php-list'), false);

check('set verb/lrem/none/0', $m->set('verb/lrem/none/0', 'a'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTSTORED);
check('set verb/ltrim/none', $m->set('verb/ltrim/none', '0 1'), false);
check('get verb/lrange/none', $m->get('verb/lrange/none'), false);
check('why', $m->getResultCode(), Memcached::RES_NOTFOUND);
check('get verb/lpop/none', $m->get('verb/lpop/none'), false);

check('set verb/rpush/php-list "b", long ago', $m->set('verb/rpush/php-list', 'b', LONG_AGO), true);
check('get verb/lrange/php-list, which was made anew', $m->get('verb/lrange/php-list'), false);
check('set verb/rpush/php-list "b"', $m->set('verb/rpush/php-list', 'b', 600), true);
// An exptime is that of a list which the push creates, not of one that is there.
check('set verb/rpush/php-list "a", long ago', $m->set('verb/rpush/php-list', 'a', LONG_AGO), true);
check('get verb/lrange/php-list', $m->get('verb/lrange/php-list'), 'b a');
check('set verb/lpush/php-old "a", long ago', $m->set('verb/lpush/php-old', 'a', LONG_AGO), true);
check('get verb/lrange/php-old', $m->get('verb/lrange/php-old'), false);
check('touch php-list', $m->touch('php-list', 600), true);
check('delete php-list', $m->delete('php-list'), true);
check('get verb/llen/php-list', $m->get('verb/llen/php-list'), false);
