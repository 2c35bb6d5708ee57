<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Illuminate\Cache\Lock as BaseLock;
use Memverbs\Verbs;

/** A lock that is given back only by its owner, in one step, where Laravel's asks for the owner first and deletes then. */
class Lock extends BaseLock
{
    private const LONGEST = 2591000;

    /**
     * @param string      $name
     * @param int         $seconds
     * @param string|null $owner
     */
    public function __construct(private readonly Verbs $verbs, $name, $seconds, $owner = null)
    {
        parent::__construct($name, $seconds, $owner);
    }

    public function acquire(): bool
    {
        return $this->verbs->lock($this->name, $this->owner, $this->seconds ?: self::LONGEST);
    }

    /** Holds the lock for so many seconds from now; false if it is not held any more. */
    public function refresh(?int $seconds = null): bool
    {
        return $this->verbs->relock($this->name, $this->owner, $seconds ?: $this->seconds ?: self::LONGEST);
    }

    public function release(): bool
    {
        return $this->verbs->unlock($this->name, $this->owner);
    }

    public function forceRelease(): void
    {
        $this->verbs->client->delete($this->name);
    }

    /** The owner, who is in the item that the lock is: "x:<token> ". */
    protected function getCurrentOwner(): string
    {
        return Verbs::text(rtrim(substr((string) $this->verbs->client->get($this->name), 2)));
    }
}
