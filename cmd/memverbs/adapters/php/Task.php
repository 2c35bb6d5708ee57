<?php

declare(strict_types=1);

namespace Memverbs;

/** A task that this worker holds. */
final class Task
{
    public function __construct(
        public readonly string $id,
        public readonly string $data,
        public readonly string $stamp,
    ) {
    }

    /** How often the task was taken, this time included. */
    public function attempt(): int
    {
        return (int) substr(strrchr($this->stamp, '.'), 1);
    }
}
