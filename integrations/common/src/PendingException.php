<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

/** The provider has not confirmed a change yet. */
final class PendingException extends \RuntimeException
{
    public function __construct(string $command)
    {
        parent::__construct("$command is pending: the provider has not confirmed it yet. It completes automatically.");
    }
}
