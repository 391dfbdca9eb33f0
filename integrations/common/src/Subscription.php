<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\Result;

/** A service of a panel and its license. Each command returns normally or throws what staff is shown; repeating it is safe. */
final class Subscription
{
    /**
     * Statuses after which a repetition takes another key: nothing happened under this one, or it belongs to an earlier
     * attempt with other parameters (422). What that one did is found on the license.
     */
    private const REJECTED = [400, 404, 409, 422];

    /**
     * @param string $name unique among all panels of the reseller, such as `https://billing.example/ service 42`
     * @param string $term the service's current term, such as its due date
     * @param string $command what the panel runs; the same command fails if what it left pending is rejected
     */
    public function __construct(
        public readonly Desk $desk,
        private readonly Memory $memory,
        private readonly string $name,
        private readonly string $term,
        private readonly string $command,
    ) {
    }

    /**
     * Registers the license, another one if it was terminated. One that an earlier attempt registered moves to the
     * address that is ordered now, and has to have the ordered cycle.
     *
     * @param string $billingCycle as the panel calls it
     */
    public function create(int $productId, int $months, string $billingCycle, string $address): void
    {
        $this->complete();
        $row = $this->memory->row();
        $isCreated = $row->license_id !== null && $row->registered_months === null;
        $id = ['license_id' => $row->license_id ?? $this->register($productId, $months, $billingCycle, $address)];
        $license = $this->desk->client->licenses->info($id);
        if ($license['status'] === 'terminated') {
            $this->memory->save(['license_id' => null, 'registered_address' => null, 'registered_months' => null]);
            $this->memory->advance($this->memory->row());
            $this->create($productId, $months, $billingCycle, $address);
            return;
        }
        $isElsewhere = $license['ip_address'] !== $address;
        $found = "The service has license lic_$license[license_id] on $license[ip_address]";
        if ($isCreated) {
            if ($isElsewhere) {
                throw new \RuntimeException("$found: move it, or correct the order.");
            }
            return;
        }
        $registered = $this->memory->row();
        $isExpired = $license['days_remaining'] === 0;
        $cycleMonths = (int) ($registered->registered_months ?? $months);
        if (!$isExpired && $cycleMonths !== $months) {
            throw new \RuntimeException("$found for $cycleMonths months, not $months: correct the order, or terminate it.");
        }
        if ($isExpired && $license['status'] === 'suspended') {
            $this->change(fn (): Result => $this->desk->client->licenses->unsuspend($id));
        }
        // Unless the order is unchanged: then the client has moved the license.
        if ($isElsewhere && $registered->registered_address !== $address) {
            $this->change(fn (): Result => $this->desk->client->licenses->changeIp($id + ['new_ip' => $address]));
        }
        if ($isExpired) {
            $cycle = $this->desk->findCycle($productId, $months, $billingCycle);
            $this->extend($id + ($cycle ?? []), $license['expires_at'], $license['expires_at']);
        }
        $this->memory->save($id + ['registered_address' => null, 'registered_months' => null]);
    }

    public function suspend(string $reason): void
    {
        $parameters = ['license_id' => $this->licenseId(), 'reason' => $reason];
        $this->change(fn (): Result => $this->desk->client->licenses->suspend($parameters));
    }

    public function unsuspend(): void
    {
        $this->change(fn (): Result => $this->desk->client->licenses->unsuspend(['license_id' => $this->licenseId()]));
    }

    /** A license that has expired, or that the API key cannot see, counts as terminated. */
    public function terminate(): void
    {
        $this->complete();
        $row = $this->memory->row();
        $id = $row->license_id ?? $this->find()['license_id'] ?? null;
        if ($id === null) {
            return;
        }
        try {
            $this->change(fn (): Result => $this->desk->client->licenses->terminate(['license_id' => $id]));
        } catch (ApiException $failure) {
            $isExpired = $failure->errorCode === 'INVALID_STATE' && ($failure->details['status'] ?? null) === 'expired';
            if (!$isExpired && $failure->errorCode !== 'LICENSE_NOT_FOUND') {
                throw $failure;
            }
        }
        $this->memory->save(['license_id' => null, 'registered_address' => null, 'registered_months' => null]);
        $this->memory->advance($row);
    }

    /**
     * Once per term. Another billing cycle takes effect here; without a product, the license keeps its cycle. A
     * suspension that was pending when the client paid is lifted.
     */
    public function renew(?int $productId = null, int $months = 0, string $billingCycle = ''): void
    {
        $row = $this->memory->row();
        if ($row->operation_id !== null && $row->command !== $this->command) {
            $this->memory->save(['due_term' => $this->term]);
        }
        if ($this->complete() === 'license.suspend succeeded') {
            $this->unsuspend();
        }
        $row = $this->memory->row();
        if ($row->renewed_term === $this->term) {
            return;
        }
        $license = $this->license();
        $expiry = $license['expires_at'];
        // An answer that was lost: an idempotency key is forgotten after a day, the license's end is not.
        $isRenewed = $row->renewing_term === $this->term && $expiry > $row->renewing_from;
        if (!$isRenewed) {
            $cycle = $productId === null ? null : $this->desk->findCycle($productId, $months, $billingCycle);
            $this->extend(['license_id' => $license['license_id']] + ($cycle ?? []), $expiry, $this->term);
        }
        $this->memory->save(['renewed_term' => $this->term]);
    }

    /** Whether the current term was paid while another change was pending, so that its renewal failed. */
    public function isRenewalDue(): bool
    {
        $row = $this->memory->row();
        return $row->due_term === $this->term && $row->renewed_term !== $this->term;
    }

    public function setCores(int $cores): void
    {
        $license = $this->license();
        $isPending = $this->memory->row()->operation_id !== null;
        if ($license['cores'] !== null && ($cores !== $license['cores'] || $isPending)) {
            $parameters = ['license_id' => $license['license_id'], 'cores' => $cores];
            $this->change(fn (): Result => $this->desk->client->licenses->changeCores($parameters));
        }
    }

    public function move(string $address): void
    {
        $parameters = ['license_id' => $this->licenseId(), 'new_ip' => $address];
        $this->change(fn (): Result => $this->desk->client->licenses->changeIp($parameters));
    }

    /** For clients: so many times per term. */
    public function moveWithin(int $allowed, string $address): void
    {
        $this->complete();
        if ($this->movesLeft($allowed) <= 0) {
            throw new \RuntimeException('The address cannot be changed again before the next due date. Contact support.');
        }
        $count = $this->movesUsed();
        $this->memory->save(['ip_changes' => $count + 1, 'ip_changes_term' => $this->term]);
        try {
            $this->move($address);
        } catch (ApiException $failure) {
            $this->memory->save(['ip_changes' => $count]);
            throw $failure;
        }
    }

    public function movesLeft(int $allowed): int
    {
        return max(0, $allowed - $this->movesUsed());
    }

    public function license(): Result
    {
        return $this->desk->client->licenses->info(['license_id' => $this->licenseId()]);
    }

    /** @return array<string, mixed>|null the license with the service's name, which the panel may have no record of */
    public function find(): ?array
    {
        foreach ($this->desk->client->licenses->find(['external_id' => $this->name]) as $license) {
            if ($license['status'] !== 'terminated') {
                return $license;
            }
        }
        return null;
    }

    /** @return array<string, string> what staff and clients see of the license; empty without one */
    public function describe(): array
    {
        $row = $this->memory->row();
        $pending = $row->command === null ? [] : ['Pending' => $row->command];
        if ($row->license_id === null) {
            return $pending;
        }
        $license = $this->desk->pageClient->licenses->info(['license_id' => $row->license_id]);
        return [
            'License Key' => $license['license_key'],
            'Status' => ucfirst($license['status']),
            'IP Address' => $license['ip_address'],
            'Expires' => substr($license['expires_at'], 0, 10),
        ] + $pending;
    }

    /** Whether the outcome of a pending change is known. */
    public function isReady(): bool
    {
        $id = $this->memory->row()->operation_id;
        return $id !== null && !$this->desk->isPending($id);
    }

    public function completePending(): void
    {
        $this->complete(reportsAnyRejection: true);
    }

    private function licenseId(): int
    {
        return (int) ($this->memory->row()->license_id ?? $this->find()['license_id']
            ?? throw new \RuntimeException('The service has no license yet. Create it first.'));
    }

    private function register(int $productId, int $months, string $billingCycle, string $address): int
    {
        if ($this->find() === null) {
            $this->memory->save(['registered_address' => $address, 'registered_months' => $months]);
        }
        $registered = $this->change(function (object $row) use ($productId, $months, $billingCycle, $address): Result {
            $cycle = $this->desk->findCycle($productId, $months, $billingCycle)
                ?? throw new \RuntimeException("The product is no longer on sale. Choose another one in the product's settings.");
            $order = ['product_id' => $productId, 'ip_address' => $address];
            // Even without the panel's memory, a service has one license.
            $order['external_id'] = $this->name;
            $key = $this->idempotencyKey($row, 'register', "$this->term|$productId|$months|$address");
            return $this->desk->client->licenses->register($order + $cycle, $key);
        });
        return $registered['license_id'];
    }

    /**
     * @param array{license_id: int, cycle_id?: int} $parameters
     * @param string $expiry the license's end before
     * @param string $attempt the same for each repetition
     */
    private function extend(array $parameters, string $expiry, string $attempt): void
    {
        $this->memory->save(['renewing_term' => $this->term, 'renewing_from' => $expiry]);
        $this->change(fn (object $row): Result
            => $this->desk->client->licenses->renew($parameters, $this->idempotencyKey($row, 'renew', $attempt)));
    }

    private function movesUsed(): int
    {
        $row = $this->memory->row();
        return $row->ip_changes_term === $this->term ? (int) $row->ip_changes : 0;
    }

    /**
     * Requests a change once the earlier one is complete, which may have had other parameters.
     *
     * @param callable(object): Result $request
     * @return Result with `license_id`
     */
    private function change(callable $request): Result
    {
        $this->complete();
        $row = $this->memory->row();
        try {
            $result = $request($row);
        } catch (ApiException $failure) {
            if (!$failure->isTemporary() && in_array($failure->status, self::REJECTED, true)) {
                $this->memory->advance($row);
                // An earlier attempt's: its cause may be gone.
                if ($failure->replayed) {
                    return $this->change($request);
                }
            }
            throw $failure;
        }
        if ($result->isPending()) {
            $this->memory->save(['operation_id' => $result->operationId, 'command' => $this->command]);
            throw new \RuntimeException(self::describePending($this->command));
        }
        return $result;
    }

    /**
     * Completes the earlier change. If it was rejected, its own command fails and another one continues. One that the API
     * key cannot see is forgotten.
     *
     * @return string what was completed, such as `license.suspend succeeded`; empty if nothing was
     */
    private function complete(bool $reportsAnyRejection = false): string
    {
        $row = $this->memory->row();
        if ($row->operation_id === null) {
            return '';
        }
        $operation = $this->desk->findOperation($row->operation_id);
        if ($operation === null) {
            $this->memory->save(['operation_id' => null, 'command' => null]);
            return '';
        }
        if ($operation['status'] === 'pending') {
            throw new \RuntimeException(self::describePending($row->command));
        }
        $outcome = "$operation[operation] $operation[status]";
        $effects = match ($outcome) {
            'license.register succeeded' => ['license_id' => $operation['license_id']],
            // The panel may have reached the next term meanwhile.
            'license.renew succeeded' => ['renewed_term' => $row->renewing_term],
            default => [],
        };
        $this->memory->save(['operation_id' => null, 'command' => null] + $effects);
        if ($operation['status'] === 'rejected') {
            $this->memory->advance($row);
            if ($reportsAnyRejection || $row->command === $this->command) {
                throw new \RuntimeException("The provider rejected $row->command: $operation[message]");
            }
        }
        return $outcome;
    }

    private static function describePending(string $command): string
    {
        return "$command is pending: the provider has not confirmed it yet. It completes automatically.";
    }

    private function idempotencyKey(object $row, string $operation, string $attempt): string
    {
        return 'panel-' . hash('sha256', implode('|', [$this->name, $operation, $attempt, $row->sequence]));
    }
}
