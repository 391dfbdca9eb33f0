<?php

declare(strict_types=1);

namespace LicenseDesk;

/** The outcome of an operation is still unknown. The money stays held; ask again later. */
final class OperationPendingException extends LicenseDeskException
{
    /** @param \Throwable|null $previous why License Desk could not be asked */
    public function __construct(public readonly string $operationId, ?\Throwable $previous = null)
    {
        $cause = $previous === null ? '.' : ": {$previous->getMessage()}";
        parent::__construct("The outcome of operation $operationId is still unknown$cause", 0, $previous);
    }
}
