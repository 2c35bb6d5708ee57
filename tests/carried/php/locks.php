<?php
check('add verb/lock/php-lock "alice"', $m->add('verb/lock/php-lock', 'alice', 30), true);
check('add verb/lock/php-lock "bob"', $m->add('verb/lock/php-lock', 'bob', 30), false);
check('why', $m->getResultCode(), NOT_ADDED);
check('touch verb/relock/php-lock/alice', $m->touch('verb/relock/php-lock/alice', 60), true);
check('touch verb/relock/php-lock/bob', $m->touch('verb/relock/php-lock/bob', 60), false);
check('delete verb/unlock/php-lock/bob', $m->delete('verb/unlock/php-lock/bob'), false);
check('why', $m->getResultCode(), NOT_YOURS);
check('delete verb/unlock/php-lock/alice', $m->delete('verb/unlock/php-lock/alice'), true);
