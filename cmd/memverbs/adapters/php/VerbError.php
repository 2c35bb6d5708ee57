<?php

declare(strict_types=1);

namespace Memverbs;

use RuntimeException;

/** A verb that was not carried out, or of which nobody knows whether it was. The message tells the key and the reason. */
class VerbError extends RuntimeException
{
    public function __construct(public readonly string $key, public readonly string $reason)
    {
        parent::__construct("$key: $reason");
    }
}
