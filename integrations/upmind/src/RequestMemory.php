<?php

declare(strict_types=1);

namespace LicenseDesk\Upmind;

use LicenseDesk\Panel\Memory;

/** Lasts for one request: License Desk has all that the adapter must remember. */
final class RequestMemory implements Memory
{
    private object $row;

    /** @param string $sequence part of the idempotency keys: after a rejection, another one is another attempt */
    public function __construct(?int $licenseId, string $sequence)
    {
        $this->row = (object) [
            'license_id' => $licenseId,
            'operation_id' => null,
            'command' => null,
            'sequence' => $sequence,
            'renewed_term' => null,
            'renewing_term' => null,
            'renewing_from' => null,
        ];
    }

    public function row(): object
    {
        return clone $this->row;
    }

    public function save(array $changes): void
    {
        $this->row = (object) ($changes + (array) $this->row);
    }

    public function advance(object $row): void
    {
    }
}
