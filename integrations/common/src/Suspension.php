<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

final class Suspension
{
    /** WHMCS's reason unless staff enters another one. A payment lifts only what was suspended for this. */
    public const UNPAID = 'Overdue on Payment';

    public static function isForNonPayment(?string $reason): bool
    {
        return strcasecmp((string) $reason, self::UNPAID) === 0;
    }
}
