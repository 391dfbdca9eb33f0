<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

/** One service's row in the panel's database: its license, the change that the provider has not confirmed, and counts. */
interface Memory
{
    /**
     * @return object with `license_id`, `mode` (`test` or `live`, of the key that registered it), `operation_id`,
     * `command`, `sequence`, `renewed_term`, `renewing_term`, `renewing_from` (the license's end before the renewal for
     * that term), `due_term` (paid, and to be renewed as soon as possible), `suspend_reason` (of a
     * suspension that is pending, or that the renewal that is due may lift), `registered_address` (of a registration
     * that is not known to be as ordered), `ip_changes` and `ip_changes_term`; all but `sequence` and `ip_changes` are
     * null at first, these are 0
     */
    public function row(): object;

    /** @param array<string, int|string|null> $changes */
    public function save(array $changes): void;

    /** Increments `sequence` if it is still the row's: of two processes that saw the same row, one advances it. */
    public function advance(object $row): void;
}
