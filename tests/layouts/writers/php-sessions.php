<?php
// Stores sessions with the session handler of php-memcached, whose layout is
// libmemcached-ketama when it is told nothing:
//
//     KEY_PREFIX=memc.sess.key. php php-sessions.php <layout> <keys-file> <host:port>...
//
// The keys are names of sessions, before which the handler puts a prefix of its
// own. KEY_PREFIX only says what values begin with.

[, $layout, $keysFile] = $argv;

foreach ([
    'memcached.sess_binary_protocol' => '0',
    'memcached.sess_consistent_hash' => $layout === 'libmemcached' ? '0' : '1',
    'memcached.sess_locking' => '0', // no item beside each session
    'session.save_handler' => 'memcached',
    'session.save_path' => implode(',', array_slice($argv, 3)),
    'session.use_cookies' => '0',
    'session.cache_limiter' => '',
] as $setting => $value) {
    ini_set($setting, $value);
}
if ($layout === 'libmemcached-ketama-weighted') {
    ini_set('memcached.sess_consistent_hash_type', 'ketama_weighted');
}

// The handler is open while there is a session, and stores any that it is given.
// For that one a name is chosen here, since PHP stores an item with one it makes up.
$handler = new SessionHandler();
session_set_save_handler($handler, false);
session_id('unsaved');
session_start();
foreach (file($keysFile, FILE_IGNORE_NEW_LINES) as $key) {
    if (!$handler->write($key, getenv('KEY_PREFIX') . $key)) {
        exit(1);
    }
}
session_abort();
