<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\Result;

/** A service of a panel and its license. Each command returns normally or throws what staff is shown; repeating it is safe. */
final class Subscription
{
    /** Statuses that mean: nothing happened under this key. */
    private const REJECTED = [400, 404, 409];

    /**
     * @param string $name unique among all panels of the reseller, such as `https://billing.example/ service 42`
     * @param string $term the service's current term, such as its due date
     * @param string $command what the panel runs; the same command continues what it left pending
     */
    public function __construct(
        public readonly Desk $desk,
        private readonly Memory $memory,
        private readonly string $name,
        private readonly string $term,
        private readonly string $command,
    ) {
    }

    /** @param string $billingCycle as the panel calls it */
    public function create(int $productId, int $months, string $billingCycle, string $address): void
    {
        if ($this->memory->row()->license_id !== null) {
            return;
        }
        $license = $this->change(function (object $row) use ($productId, $months, $billingCycle, $address): Result {
            $product = $this->desk->findProduct($productId)
                ?? throw new \RuntimeException("The product is no longer on sale. Choose another one in the product's settings.");
            return $this->desk->client->licenses->register([
                'product_id' => $productId,
                'cycle_id' => Desk::cycleOf($product, $months, $billingCycle),
                'ip_address' => $address,
                // Even without the panel's memory, a service has one license.
                'external_id' => $this->name,
            ], $this->idempotencyKey($row, 'register'));
        });
        $this->memory->save(['license_id' => $license['license_id']]);
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

    /** A license that has ended already counts as terminated. */
    public function terminate(): void
    {
        $this->completePending();
        $row = $this->memory->row();
        if ($row->license_id === null) {
            return;
        }
        try {
            $this->change(fn (): Result => $this->desk->client->licenses->terminate(['license_id' => $this->licenseId()]));
        } catch (ApiException $failure) {
            $hasEnded = $failure->errorCode === 'INVALID_STATE' && in_array($this->license()['status'], ['expired', 'terminated'], true);
            if (!$hasEnded) {
                throw $failure;
            }
        }
        $this->memory->save(['license_id' => null]);
        $this->memory->advance($row);
    }

    /** Once per term. Another billing cycle takes effect here. */
    public function renew(int $productId, int $months, string $billingCycle): void
    {
        if ($this->memory->row()->renewed_term === $this->term) {
            return;
        }
        $license = ['license_id' => $this->licenseId()];
        $this->change(function (object $row) use ($license, $productId, $months, $billingCycle): Result {
            $product = $this->desk->findProduct($productId);
            // A license of a product that is no longer on sale keeps its cycle.
            $cycle = $product === null ? [] : ['cycle_id' => Desk::cycleOf($product, $months, $billingCycle)];
            return $this->desk->client->licenses->renew($license + $cycle, $this->idempotencyKey($row, 'renew', $this->term));
        });
        $this->memory->save(['renewed_term' => $this->term]);
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

    /** @return array<string, string> what staff and clients see of the license; empty without one */
    public function describe(): array
    {
        $row = $this->memory->row();
        $pending = $row->command === null ? [] : ['Pending' => $row->command];
        if ($row->license_id === null) {
            return $pending;
        }
        $license = $this->license();
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
        return $id !== null && $this->desk->client->operations->info($id)['status'] !== 'pending';
    }

    public function completePending(): void
    {
        $row = $this->memory->row();
        if ($row->operation_id !== null) {
            $this->complete($row);
        }
    }

    private function licenseId(): int
    {
        return (int) ($this->memory->row()->license_id ?? throw new \RuntimeException('The service has no license yet. Create it first.'));
    }

    private function movesUsed(): int
    {
        $row = $this->memory->row();
        return $row->ip_changes_term === $this->term ? (int) $row->ip_changes : 0;
    }

    /**
     * Requests a change. If it is pending already, completes it; another pending change is completed first.
     *
     * @param callable(object): Result $request
     * @return Result with `license_id`
     */
    private function change(callable $request): Result
    {
        $row = $this->memory->row();
        if ($row->operation_id !== null) {
            $completed = $this->complete($row);
            if ($row->command === $this->command) {
                return $completed;
            }
        }
        try {
            $result = $request($row);
        } catch (ApiException $failure) {
            if (!$failure->isTemporary() && in_array($failure->status, self::REJECTED, true)) {
                $this->memory->advance($row);
            }
            throw $failure;
        }
        if ($result->isPending()) {
            $this->memory->save(['operation_id' => $result->operationId, 'command' => $this->command]);
            throw new \RuntimeException(self::describePending($this->command));
        }
        return $result;
    }

    private function complete(object $row): Result
    {
        $operation = $this->desk->client->operations->info($row->operation_id);
        if ($operation['status'] === 'pending') {
            throw new \RuntimeException(self::describePending($row->command));
        }
        $effects = match ($operation['operation'] . ' ' . $operation['status']) {
            'license.register succeeded' => ['license_id' => $operation['license_id']],
            'license.renew succeeded' => ['renewed_term' => $this->term],
            default => [],
        };
        $this->memory->save(['operation_id' => null, 'command' => null] + $effects);
        if ($operation['status'] === 'rejected') {
            $this->memory->advance($row);
            throw new \RuntimeException("The provider rejected $row->command: $operation[message]");
        }
        return $operation;
    }

    private static function describePending(string $command): string
    {
        return "$command is pending: the provider has not confirmed it yet. It completes automatically.";
    }

    private function idempotencyKey(object $row, string $operation, string $term = ''): string
    {
        return 'panel-' . hash('sha256', implode('|', [$this->name, $operation, $term, $row->sequence]));
    }
}
