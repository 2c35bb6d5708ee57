<?php
$attempt = 'verb/limit/login:php/2/3600'; // two attempts an hour
check("increment $attempt", $m->increment($attempt), 2);
check("increment $attempt", $m->increment($attempt), 1);
check("increment $attempt", $m->increment($attempt), 0);
[$allowed, $left, $ms] = explode(' ', $m->get($attempt));
check("get $attempt", [$allowed, $left, $ms > 0], ['0', '0', true]);
