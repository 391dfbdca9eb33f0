<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\ConnectionException;
use LicenseDesk\Result;

/** The renewal of a service's license for the current term. */
final class Renewal
{
    /** It was due before this command, so it stays due until it can be requested. */
    private bool $hasWaited = false;

    public function __construct(
        private readonly Desk $desk,
        private readonly Memory $memory,
        private readonly Changes $changes,
        private readonly string $term,
        private readonly string $command,
        private readonly \Closure $report,
    ) {
    }

    public function isDue(): bool
    {
        return $this->memory->row()->due_term === $this->term;
    }

    /**
     * Completes the earlier change. Unless that is this renewal, the renewal is due from now on, instead of another one,
     * which is reported.
     */
    public function prepare(): void
    {
        $row = $this->memory->row();
        if (!in_array($row->due_term, [null, $this->term], true)) {
            ($this->report)(
                "The renewal paid for $row->due_term is no longer repeated. "
                . 'If the end of the license shows that it was not made, make it in License Desk.',
            );
        }
        $isPending = $row->operation_id !== null;
        $isRepeated = $isPending && $row->command === $this->command && $row->renewing_term === $this->term;
        $this->hasWaited = $row->due_term === $this->term || ($isPending && !$isRepeated);
        if (!$isRepeated && $row->renewed_term !== $this->term) {
            // Even if this process ends before it has an answer.
            $this->memory->save(['due_term' => $this->term]);
        }
        $this->changes->complete();
    }

    /**
     * Lifts a suspension for non-payment if the renewal is due. A rejection ends that, not the renewal.
     *
     * @param \Closure(): void $unsuspend
     */
    public function liftSuspension(\Closure $unsuspend): void
    {
        if (!$this->isDue() || !Suspension::isForNonPayment($this->memory->row()->suspend_reason)) {
            return;
        }
        try {
            $unsuspend();
        } catch (ApiException $failure) {
            if (!$this->changes->isFinal($failure)) {
                throw $failure;
            }
            $this->changes->endLifting($this->memory->row(), $failure->getMessage());
        }
    }

    /**
     * A failure that a repetition cannot mend is reported once, as is a license of test mode that is gone; otherwise the
     * renewal stays due. If it is pending, its outcome decides.
     *
     * @param callable(): Result $find returns the license
     */
    public function renew(callable $find, ?int $productId, int $months, string $billingCycle): void
    {
        try {
            $this->renewTerm($find, $productId, $months, $billingCycle);
        } catch (\Throwable $failure) {
            $isGone = $failure instanceof ApiException && $failure->errorCode === 'LICENSE_NOT_FOUND'
                && $this->changes->isFinal($failure);
            if ($isGone || (!$this->hasWaited && !self::mayPass($failure))) {
                $this->memory->save(['due_term' => null]);
            }
            throw $failure;
        }
        $this->memory->save(['renewed_term' => $this->term, 'due_term' => null]);
    }

    /** @param string $attempt the same for each repetition */
    public function extend(Result $license, ?int $productId, int $months, string $billingCycle, string $attempt): void
    {
        $parameters = ['license_id' => $license['license_id']];
        if ($productId !== null) {
            Desk::requireProduct($license, $productId);
            // The cycle that the license has may be retired: then nothing can name it (contract 3.4).
            if ($license['cycle_months'] !== $months) {
                $parameters['cycle_id'] = $this->desk->cycleId($productId, $months, $billingCycle);
            }
        }
        $this->memory->save(['renewing_term' => $this->term, 'renewing_from' => $license['expires_at']]);
        $renew = fn (object $row): Result
            => $this->desk->client->licenses->renew($parameters, $this->changes->idempotencyKey($row, 'renew', $attempt));
        $this->changes->request($renew, ['due_term' => null]);
    }

    /** @param callable(): Result $find */
    private function renewTerm(callable $find, ?int $productId, int $months, string $billingCycle): void
    {
        $row = $this->memory->row();
        if ($row->renewed_term === $this->term) {
            return;
        }
        $license = $find();
        // From here on, a failure is the renewal's own.
        $this->hasWaited = false;
        // An answer that was lost: an idempotency key is forgotten after a day, the license's end is not.
        $isRenewed = $row->renewing_term === $this->term && $license['expires_at'] > $row->renewing_from;
        if (!$isRenewed) {
            $this->extend($license, $productId, $months, $billingCycle, $this->term);
        }
    }

    private static function mayPass(\Throwable $failure): bool
    {
        return $failure instanceof PendingException || $failure instanceof ConnectionException
            || ($failure instanceof ApiException && !Changes::isRejection($failure));
    }
}
