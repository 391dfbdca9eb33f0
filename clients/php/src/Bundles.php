<?php

declare(strict_types=1);

namespace LicenseDesk;

final class Bundles
{
    public function __construct(private readonly Client $client)
    {
    }

    /** @return list<array<string, mixed>> bundles on sale with their cycles and prices */
    public function onSale(): array
    {
        return $this->client->call(Operation::Bundles)['bundles'];
    }

    /** @param array{bundle_id: int, cycle_id: int, ip_address: string, expected_price?: string, dry_run?: bool} $parameters */
    public function register(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::BundleRegister, $parameters, $idempotencyKey);
    }

    /** @param array{bundle_instance_id: int, cycle_id?: int, expected_price?: string, dry_run?: bool} $parameters */
    public function renew(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::BundleRenew, $parameters, $idempotencyKey);
    }

    /** @param array{bundle_instance_id: int, new_ip: string} $parameters */
    public function changeIp(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::BundleChangeIp, $parameters, $idempotencyKey);
    }

    /** @param array{bundle_instance_id: int} $parameters */
    public function info(array $parameters): Result
    {
        return $this->client->call(Operation::BundleInfo, $parameters);
    }
}
