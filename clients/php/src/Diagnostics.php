<?php

declare(strict_types=1);

namespace LicenseDesk;

final class Diagnostics
{
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * The newest report of a server.
     *
     * @param array{license_key?: string, license_id?: string, ip_address?: string, server?: string} $selector
     */
    public function get(array $selector): Result
    {
        return $this->client->call(Operation::Diagnostics, $selector);
    }

    /** @param array<string, int|string> $report `license_key`, `hostname`, `os`, `kernel`, `cpu_cores`, `memory`, `disk_free`, `uptime` */
    public function report(array $report, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::DiagnosticsReport, $report, $idempotencyKey);
    }
}
