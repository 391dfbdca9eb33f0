<?php

declare(strict_types=1);

namespace LicenseDesk;

/** No complete response arrived. A change may have happened: repeat it only under the same idempotency key. */
final class ConnectionException extends LicenseDeskException
{
    /** Sent with the request; null for requests that only read, and for dry runs. */
    public ?string $idempotencyKey = null;
}
