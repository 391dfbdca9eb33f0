<?php

declare(strict_types=1);

namespace LicenseDesk;

/** The provider rejected a pending operation; nothing was charged. */
final class OperationRejectedException extends LicenseDeskException
{
    public function __construct(public readonly Result $operation)
    {
        parent::__construct((string) $operation['message']);
    }
}
