<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Closure;
use Memverbs\Verbs;

/**
 * Allows no more than so many attempts in any interval of so many seconds, however many processes ask.
 *
 * It has the methods of Illuminate\Cache\RateLimiter that tell both the number of attempts and the seconds. It can't
 * stand in for it in the throttle middleware, which asks with the one and counts with the other.
 */
class RateLimiter
{
    public function __construct(private readonly Verbs $verbs)
    {
    }

    /** Calls back if there may be one more attempt, and returns the result, or true; otherwise false. */
    public function attempt(string $key, int $maxAttempts, Closure $callback, int $decaySeconds = 60): mixed
    {
        if (!$this->verbs->allow(Verbs::word($key), $maxAttempts, $decaySeconds)) {
            return false;
        }
        return $callback() ?: true;
    }

    /** How many more attempts may be made now. */
    public function remaining(string $key, int $maxAttempts, int $decaySeconds = 60): int
    {
        return $this->verbs->left(Verbs::word($key), $maxAttempts, $decaySeconds)[1];
    }

    /** In how many seconds it is worth trying again. */
    public function availableIn(string $key, int $maxAttempts, int $decaySeconds = 60): int
    {
        return (int) ceil($this->verbs->left(Verbs::word($key), $maxAttempts, $decaySeconds)[2]);
    }
}
