<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\ConnectionException;

final class Failure
{
    /** Clients see some outcomes, so this does not name the server. */
    public static function describe(\Throwable $failure): string
    {
        return match (true) {
            $failure instanceof ApiException && $failure->errorCode === ''
                => "Something else than the license server answered, with status $failure->status. Run the command again; nothing is charged twice.",
            $failure instanceof ApiException => "$failure->errorCode: {$failure->getMessage()}",
            $failure instanceof ConnectionException
                => 'The license server did not answer. Run the command again; nothing is charged twice.',
            $failure instanceof \RuntimeException => $failure->getMessage(),
            default => 'An internal error: see the log.',
        };
    }

    /** What the log says besides. */
    public static function details(\Throwable $failure): string
    {
        return match (true) {
            $failure instanceof ApiException => (string) $failure->requestId,
            $failure instanceof ConnectionException => $failure->getMessage(),
            $failure instanceof \RuntimeException => '',
            default => (string) $failure,
        };
    }
}
