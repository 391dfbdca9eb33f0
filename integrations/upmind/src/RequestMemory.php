<?php

declare(strict_types=1);

namespace LicenseDesk\Upmind;

use LicenseDesk\Panel\Memory;

/**
 * Lasts for one request: License Desk has all that the adapter must remember. Each request counts the rejected attempts
 * of the last day anew, by their stored answers, so simultaneous requests come to the same idempotency key.
 */
final class RequestMemory implements Memory
{
    private object $row;

    public function __construct(?int $licenseId)
    {
        $this->row = (object) [
            'license_id' => $licenseId,
            'mode' => null,
            'operation_id' => null,
            'command' => null,
            'sequence' => 0,
            'renewed_term' => null,
            'renewing_term' => null,
            'renewing_from' => null,
            'due_term' => null,
            'suspend_reason' => null,
            'registered_address' => null,
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
        $this->row->sequence = $row->sequence + 1;
    }
}
