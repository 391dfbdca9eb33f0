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

    /** @param array{license_key: string, hostname: string, os: string, kernel: string, cpu_cores: int, memory: string, disk_free: string, uptime: string, sent_at?: string} $report */
    public function report(array $report, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::DiagnosticsReport, $report, $idempotencyKey);
    }
}
