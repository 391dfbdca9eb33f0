<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\Result;

/** A service of a panel and its license. Each command returns normally or throws what staff is shown; repeating it is safe. */
final class Subscription
{
    private readonly Changes $changes;
    private readonly Renewal $renewal;

    /**
     * @param string $name unique among all panels of the reseller, such as `https://billing.example/ service 42`
     * @param string $term the service's current term, such as its due date
     * @param string $command what the panel runs; the same command fails if what it left pending is rejected
     * @param (\Closure(string): void)|null $report tells staff of paid renewals that are not made
     */
    public function __construct(
        public readonly Desk $desk,
        private readonly Memory $memory,
        private readonly string $name,
        private readonly string $term,
        private readonly string $command,
        ?\Closure $report = null,
    ) {
        $report ??= static fn () => null;
        $this->changes = new Changes($desk, $memory, $name, $command, $report);
        $this->renewal = new Renewal($desk, $memory, $this->changes, $term, $command, $report);
    }

    /**
     * Registers the license, another one if it was terminated. One that an earlier attempt registered moves to the
     * address that is ordered now, and has to have the ordered cycle.
     *
     * @param string $billingCycle as the panel calls it
     */
    public function create(int $productId, int $months, string $billingCycle, string $address): void
    {
        $this->changes->complete();
        $row = $this->memory->row();
        $isCreated = $row->license_id !== null && $row->registered_address === null;
        $id = ['license_id' => $row->license_id ?? $this->register($productId, $months, $billingCycle, $address)];
        $license = $this->desk->client->licenses->info($id);
        if ($license['status'] === 'terminated') {
            $this->changes->forgetLicense($this->memory->row());
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
        if (!$isExpired && $registered->registered_address !== null && $license['cycle_months'] !== $months) {
            throw new \RuntimeException("$found for $license[cycle_months] months, not $months: correct the order, or terminate it.");
        }
        if ($isExpired && $license['status'] === 'suspended') {
            $this->changes->request(fn (): Result => $this->desk->client->licenses->unsuspend($id));
        }
        // Unless the order is unchanged: then the client has moved the license.
        if ($isElsewhere && $registered->registered_address !== $address) {
            $this->changes->request(fn (): Result => $this->desk->client->licenses->changeIp($id + ['new_ip' => $address]));
        }
        if ($isExpired) {
            $this->renewal->extend($license, $productId, $months, $billingCycle, $license['expires_at']);
        }
        $this->memory->save($id + ['registered_address' => null]);
    }

    public function suspend(string $reason): void
    {
        $parameters = ['license_id' => $this->licenseId(), 'reason' => $reason];
        $suspend = fn (): Result => $this->desk->client->licenses->suspend($parameters);
        $this->changes->request($suspend, ['suspend_reason' => $reason]);
        $this->memory->save(['suspend_reason' => null]);
    }

    public function unsuspend(): void
    {
        $parameters = ['license_id' => $this->licenseId()];
        $this->changes->request(fn (): Result => $this->desk->client->licenses->unsuspend($parameters));
        $this->memory->save(['suspend_reason' => null]);
    }

    /** A license that has expired counts as terminated, and so does one of test mode that the API key cannot see. */
    public function terminate(): void
    {
        $this->changes->complete();
        $row = $this->memory->row();
        $id = $row->license_id ?? $this->find()['license_id'] ?? null;
        if ($id === null) {
            return;
        }
        try {
            $this->changes->request(fn (): Result => $this->desk->client->licenses->terminate(['license_id' => $id]));
        } catch (ApiException $failure) {
            $isExpired = $failure->errorCode === 'INVALID_STATE' && ($failure->details['status'] ?? null) === 'expired';
            if ($failure->errorCode === 'LICENSE_NOT_FOUND') {
                $this->changes->requireRehearsal("license lic_$id");
            } elseif (!$isExpired) {
                throw $failure;
            }
        }
        $this->changes->forgetLicense($row);
    }

    /**
     * Once per term. Another billing cycle takes effect here; without a product, the license keeps its cycle. If
     * another change is pending, or it fails for a reason that may pass, the renewal is due until it succeeds. It lifts
     * a suspension for non-payment that was pending; if that is rejected, it is reported and the license renewed.
     */
    public function renew(?int $productId = null, int $months = 0, string $billingCycle = ''): void
    {
        $this->renewal->prepare();
        $this->renewal->liftSuspension($this->unsuspend(...));
        $this->renewal->renew(fn (): Result => $this->license(), $productId, $months, $billingCycle);
    }

    /** Whether the current term is paid and the renewal could not be made yet. */
    public function isRenewalDue(): bool
    {
        return $this->renewal->isDue();
    }

    public function setCores(int $cores): void
    {
        $license = $this->license();
        $isPending = $this->memory->row()->operation_id !== null;
        if ($license['cores'] !== null && ($cores !== $license['cores'] || $isPending)) {
            $parameters = ['license_id' => $license['license_id'], 'cores' => $cores];
            $this->changes->request(fn (): Result => $this->desk->client->licenses->changeCores($parameters));
        }
    }

    public function move(string $address): void
    {
        $parameters = ['license_id' => $this->licenseId(), 'new_ip' => $address];
        $this->changes->request(fn (): Result => $this->desk->client->licenses->changeIp($parameters));
    }

    /** For clients: so many times per term. */
    public function moveWithin(int $allowed, string $address): void
    {
        $this->changes->complete();
        if ($this->movesLeft($allowed) <= 0) {
            throw new \RuntimeException('The address cannot be changed again before the next due date. Contact support.');
        }
        $count = $this->movesUsed();
        $this->memory->save(['ip_changes' => $count + 1, 'ip_changes_term' => $this->term]);
        try {
            $this->move($address);
        } catch (ApiException $failure) {
            // This one says that nothing was sent.
            if (!$failure->isUnclear || $failure->errorCode === 'PROVIDER_UNAVAILABLE') {
                $this->memory->save(['ip_changes' => $count]);
            }
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

    /** Whether there is something to complete: a pending change of known outcome, or else a renewal that is due. */
    public function isReady(): bool
    {
        $id = $this->memory->row()->operation_id;
        return $id === null ? $this->isRenewalDue() && $this->desk->isAnswering() : !$this->desk->isPending($id);
    }

    public function completePending(): void
    {
        $this->changes->complete(reportsAnyRejection: true);
    }

    private function licenseId(): int
    {
        return (int) ($this->memory->row()->license_id ?? $this->find()['license_id']
            ?? throw new \RuntimeException('The service has no license yet. Create it first.'));
    }

    private function register(int $productId, int $months, string $billingCycle, string $address): int
    {
        $isNew = $this->find() === null;
        $ordered = $isNew ? ['registered_address' => $address] : [];
        $this->memory->save(['mode' => $this->desk->mode] + $ordered);
        $registered = $this->changes->request(function (object $row) use ($productId, $months, $billingCycle, $address): Result {
            $cycleId = $this->desk->cycleId($productId, $months, $billingCycle);
            $order = ['product_id' => $productId, 'cycle_id' => $cycleId, 'ip_address' => $address];
            // Even without the panel's memory, a service has one license.
            $order['external_id'] = $this->name;
            $key = $this->changes->idempotencyKey($row, 'register', "$this->term|$productId|$months|$address");
            return $this->desk->client->licenses->register($order, $key);
        });
        return $registered['license_id'];
    }

    private function movesUsed(): int
    {
        $row = $this->memory->row();
        return $row->ip_changes_term === $this->term ? (int) $row->ip_changes : 0;
    }
}
