<?php

declare(strict_types=1);

namespace LicenseDesk;

/** The outcome of an operation is still unknown. The money stays held; ask again later. */
final class OperationPendingException extends LicenseDeskException
{
    public function __construct(public readonly string $operationId)
    {
        parent::__construct("The outcome of operation $operationId is still unknown.");
    }
}
