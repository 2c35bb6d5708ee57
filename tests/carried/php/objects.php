<?php
// Whatever the client makes of a value, by its serializer and its compression, which is on here as it is by default, it is an
// element of a list that comes back as what it was.
$m->setOption(Memcached::OPT_COMPRESSION, true);
define('EVERY_BYTE', implode(array_map('chr', range(0, 255))));
$objects = [
    'a string' => 'two words; and a third', 'no string' => '', 'a byte' => 'x', 'every byte' => EVERY_BYTE, '32 kB' => str_repeat(EVERY_BYTE, 128),
    'bytes that no compression makes shorter' => random_bytes(32768), 'a long string' => str_repeat('all work and no play ', 1000),
    'a number' => 42, 'a fraction' => 2.5, 'a truth' => true, 'an array' => ['to' => 'alice', 'of' => [1, null, 'x y']],
    'a large array' => array_fill(0, 2000, 'all work and no play'), 'an object' => new ArrayObject(['a' => 1]),
];
foreach ($objects as $what => $object) {
    check("set verb/rput/php-objects, $what", $m->set('verb/rput/php-objects', $object, 600), true);
}
check('get verb/llen/php-objects', $m->get('verb/llen/php-objects'), (string) count($objects));
check('get verb/lrange/php-objects/0/0', $m->get('verb/lrange/php-objects/0/0'), 'two words; and a third');
foreach ($objects as $what => $object) {
    $popped = $m->get('verb/lpop/php-objects');
    check("get verb/lpop/php-objects, $what", [gettype($popped), md5(serialize($popped))], [gettype($object), md5(serialize($object))]);
}
check('get verb/lpop/php-objects, which is empty now', $m->get('verb/lpop/php-objects'), false);
check('set verb/lput/php-objects', $m->set('verb/lput/php-objects', ['a' => 'b']), true);
check('get verb/rpop/php-objects', $m->get('verb/rpop/php-objects'), ['a' => 'b']);

// A page is asked for place by place, and those that the list does not have are missing.
$m->set('verb/lput/php-objects', ['id' => 1]);
$m->set('verb/lput/php-objects', ['id' => 2]);
check('getMulti of a page', $m->getMulti(array_map(fn($n) => "verb/lrange/php-objects/$n/$n", range(0, 3))),
    ['verb/lrange/php-objects/0/0' => ['id' => 2], 'verb/lrange/php-objects/1/1' => ['id' => 1]]);
$m->get('verb/lpop/php-objects/2');

// JSON is its other serializer, and some turn compression off.
$m->setOption(Memcached::OPT_COMPRESSION, false);
$m->setOption(Memcached::OPT_SERIALIZER, Memcached::SERIALIZER_JSON_ARRAY);
foreach ([['to' => 'alice', 'of' => [1, null]], '', 'x', EVERY_BYTE, str_repeat(EVERY_BYTE, 128)] as $object) {
    check('set verb/rput/php-objects, by JSON', $m->set('verb/rput/php-objects', $object), true);
    check('get verb/rpop/php-objects, the same', $m->get('verb/rpop/php-objects') === $object, true);
}
$m->setOption(Memcached::OPT_SERIALIZER, Memcached::SERIALIZER_PHP);
check('set verb/rput/php-objects, a byte too long', $m->set('verb/rput/php-objects', str_repeat('x', 32769)), false);

// Several come in a list, as they were sent.
check('set verb/rput/php-objects "a b"', $m->set('verb/rput/php-objects', 'a b'), true);
check('set verb/rput/php-objects 42', $m->set('verb/rput/php-objects', 42), true);
check('get verb/lrange/php-objects', listed($m->get('verb/lrange/php-objects')), [['0', 0, 'a b'], ['1', 1, '42']]);
check('get verb/lpop/php-objects/5', listed($m->get('verb/lpop/php-objects/5')), [['0', 0, 'a b'], ['1', 1, '42']]);
