<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\ConnectionException;

final class Failure
{
    /** The API key, or what it may do from here, is wrong for each request. */
    private const REFUSED = [401, 403];

    /** Whether further requests to the server would fail, too, for now. */
    public static function isOutage(\Throwable $failure): bool
    {
        return $failure instanceof ConnectionException || ($failure instanceof ApiException
            && ($failure->isTemporary() || in_array($failure->status, self::REFUSED, true)));
    }

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
