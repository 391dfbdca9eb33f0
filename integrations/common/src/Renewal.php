<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\Result;

/** The renewal of a service's license for the current term. */
final class Renewal
{
    public function __construct(
        private readonly Desk $desk,
        private readonly Memory $memory,
        private readonly Changes $changes,
        private readonly string $term,
        private readonly string $command,
    ) {
    }

    public function isDue(): bool
    {
        return $this->memory->row()->due_term === $this->term;
    }

    /** Completes the earlier change. Unless that is this renewal, the renewal is due from now on. */
    public function prepare(): void
    {
        $row = $this->memory->row();
        $isRepeated = $row->command === $this->command && $row->renewing_term === $this->term;
        if ($row->operation_id !== null && !$isRepeated && $row->renewed_term !== $this->term) {
            $this->memory->save(['due_term' => $this->term]);
        }
        $this->changes->complete();
    }

    public function liftsSuspension(): bool
    {
        return $this->isDue() && Suspension::isForNonPayment($this->memory->row()->suspend_reason);
    }

    /** @param callable(): Result $license */
    public function renew(callable $license, ?int $productId, int $months, string $billingCycle): void
    {
        $row = $this->memory->row();
        if ($row->renewed_term !== $this->term) {
            ['license_id' => $id, 'expires_at' => $expiry] = $license()->data;
            // An answer that was lost: an idempotency key is forgotten after a day, the license's end is not.
            $isRenewed = $row->renewing_term === $this->term && $expiry > $row->renewing_from;
            if (!$isRenewed) {
                $cycle = $productId === null ? null : $this->desk->findCycle($productId, $months, $billingCycle);
                $this->extend(['license_id' => $id] + ($cycle ?? []), $expiry, $this->term);
            }
        }
        $this->memory->save(['renewed_term' => $this->term, 'due_term' => null]);
    }

    /**
     * @param array{license_id: int, cycle_id?: int} $parameters
     * @param string $expiry the license's end before
     * @param string $attempt the same for each repetition
     */
    public function extend(array $parameters, string $expiry, string $attempt): void
    {
        $this->memory->save(['renewing_term' => $this->term, 'renewing_from' => $expiry]);
        $this->changes->request(fn (object $row): Result
            => $this->desk->client->licenses->renew($parameters, $this->changes->idempotencyKey($row, 'renew', $attempt)));
    }
}
