<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Illuminate\Queue\Connectors\ConnectorInterface;
use Memcached;
use Memverbs\Verbs;

/** Makes a Queue of a connection in config/queue.php. */
class Connector implements ConnectorInterface
{
    /** @param array{host: string, port: int, queue: string, retry_after?: int, block_for?: int, verb_keys?: string, after_commit?: bool} $config */
    public function connect(array $config): Queue
    {
        $blockFor = $config['block_for'] ?? 0;
        $memcached = new Memcached();
        $memcached->setOption(Memcached::OPT_POLL_TIMEOUT, 1000 * ($blockFor + 10)); // longer than pop waits
        $memcached->addServer($config['host'], $config['port']);
        return new Queue(
            new Verbs($memcached, $config['verb_keys'] ?? 'verb/'),
            $config['queue'],
            $config['retry_after'] ?? 60,
            $blockFor,
            $config['after_commit'] ?? false,
        );
    }
}
