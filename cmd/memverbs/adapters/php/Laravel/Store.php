<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Illuminate\Cache\MemcachedStore;
use Illuminate\Cache\TagSet;
use Memcached;
use Memverbs\Verbs;

/**
 * Laravel's store for memcached, with tags that are namespaces of memverbs and with locks of its own.
 *
 * With the prefix "shop", memverbs needs --namespaces shop:tag:*: (as of Laravel 11, "shop:" has to be given as the prefix).
 */
class Store extends MemcachedStore
{
    public readonly Verbs $verbs;

    public function __construct(Memcached $memcached, string $prefix = '', string $verbKeys = 'verb/')
    {
        parent::__construct($memcached, $prefix);
        $this->verbs = new Verbs($memcached, $verbKeys);
    }

    /** @param array|mixed $names */
    public function tags($names): TaggedCache
    {
        return new TaggedCache($this, new TagSet($this, is_array($names) ? $names : func_get_args()));
    }

    /**
     * @param string      $name
     * @param int         $seconds 0 is as long as possible, 30 days
     * @param string|null $owner
     */
    public function lock($name, $seconds = 0, $owner = null): Lock
    {
        return new Lock($this->verbs, $this->getPrefix() . Verbs::word($name), $seconds, $owner);
    }
}
