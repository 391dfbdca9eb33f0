<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Parameters and answers have the names of the contract. */
final class Licenses
{
    public function __construct(private readonly Client $client)
    {
    }

    /** @param array{product_id: int, cycle_id: int, ip_address: string, notes?: string, external_id?: string, expected_price?: string, dry_run?: bool} $parameters */
    public function register(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseRegister, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int, cycle_id?: int, expected_price?: string, dry_run?: bool} $parameters */
    public function renew(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseRenew, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int, new_ip: string} $parameters */
    public function changeIp(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseChangeIp, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int, cores: int, expected_price?: string, dry_run?: bool} $parameters */
    public function changeCores(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseChangeCore, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int, reason?: string} $parameters */
    public function suspend(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseSuspend, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int} $parameters */
    public function unsuspend(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseUnsuspend, $parameters, $idempotencyKey);
    }

    /**
     * Ends a license for good.
     *
     * @param array{license_id: int} $parameters
     */
    public function terminate(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseTerminate, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int, auto_renew: bool, expected_price?: string} $parameters */
    public function setAutoRenew(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseSetAutoRenew, $parameters, $idempotencyKey);
    }

    /** @param array{license_key: string, auto_renew: bool, expected_price?: string} $parameters */
    public function setAutoRenewByKey(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicensesSetAutoRenew, $parameters, $idempotencyKey);
    }

    /** @param array{license_key: string} $parameters */
    public function terminateByKey(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicensesTerminate, $parameters, $idempotencyKey);
    }

    /**
     * Customer and tags; what is absent stays.
     *
     * @param array{license_id: int, customer_name?: string, customer_email?: string, customer_reference?: string, tags?: string|list<string>} $parameters
     */
    public function setLabels(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseSetLabels, $parameters, $idempotencyKey);
    }

    /** @param array{license_id: int} $parameters */
    public function info(array $parameters): Result
    {
        return $this->client->call(Operation::LicenseInfo, $parameters);
    }

    /** @param array{license_key?: string, license_id?: string, ip_address?: string, type?: string} $parameters */
    public function status(array $parameters): Result
    {
        return $this->client->call(Operation::LicenseStatus, $parameters);
    }

    /**
     * Whether a license is valid on an address: `$result['valid']`.
     *
     * @param array{license_key: string, ip_address?: string} $parameters
     */
    public function verify(array $parameters): Result
    {
        return $this->client->call(Operation::LicenseVerify, $parameters);
    }

    /** @param array{license_key: string, hostname?: string, ip_address?: string, customer_name?: string, customer_email?: string, customer_reference?: string, tags?: string|list<string>} $parameters */
    public function update(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::LicenseUpdate, $parameters, $idempotencyKey);
    }

    /**
     * All licenses with all their fields, oldest first; reads page by page.
     *
     * @param array{limit?: int, status?: string, type?: string, ip_address?: string, license_key?: string, external_id?: string, customer?: string, tag?: string, q?: string, expires_within?: int} $filter
     * @return \Generator<int, array<string, mixed>>
     */
    public function find(array $filter = []): \Generator
    {
        return Pages::read($this->client, Operation::LicenseList, 'licenses', $filter);
    }

    /**
     * All licenses, oldest first; reads page by page.
     *
     * @param array{limit?: int, status?: string, type?: string, ip_address?: string, license_key?: string, external_id?: string, customer?: string, tag?: string, q?: string, expires_within?: int} $filter
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(array $filter = []): \Generator
    {
        return Pages::read($this->client, Operation::Licenses, 'licenses', $filter);
    }
}
