<?php

use Illuminate\Cache\CacheManager;
use Illuminate\Cache\MemcachedConnector;
use Illuminate\Cache\Repository;
use Illuminate\Container\Container;

foreach (['Cache', 'Container', 'Events'] as $component) {
    require_once "Illuminate/$component/autoload.php"; // where Debian has them; an application has its own
}
[$host, $port] = explode(':', $argv[1] ?? '127.0.0.1:11211');

$app = new Container();
$app['config'] = [
    'cache.default' => 'memcached',
    'cache.prefix' => 'shop',
    'cache.stores.memcached' => ['driver' => 'memcached', 'servers' => [['host' => $host, 'port' => (int) $port, 'weight' => 100]]],
];
$app['memcached.connector'] = new MemcachedConnector();
$cache = new CacheManager($app);

Repository::macro('flushFamily', function (string $family): bool {
    return $this->getStore()->getMemcached()->delete("verb/nsflush/{$this->getStore()->getPrefix()}of:$family:");
});

$cache->put('of:people:Anne', 'about Anne', 600);
$cache->put('of:authors:Anne', 'her books', 600);
$cache->put('front', 'the front page', 600);
$flushed = $cache->flushFamily('people');
echo json_encode([$flushed, $cache->get('of:people:Anne'), $cache->get('of:authors:Anne'), $cache->get('front')]), "\n";
$cache->put('of:people:Anne', 'more about Anne', 600);
echo json_encode($cache->get('of:people:Anne')), "\n";
