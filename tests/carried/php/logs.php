<?php
check('set verb/logput/php-log "logged in"', $m->set('verb/logput/php-log', 'logged in'), true);
check('set verb/logput/php-log "logged out"', $m->set('verb/logput/php-log', 'logged out'), true);
check('get verb/logfetch/php-log', array_column(listed($m->get('verb/logfetch/php-log')), 2), ['logged in', 'logged out']);
