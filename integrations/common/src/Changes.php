<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\ApiException;
use LicenseDesk\Result;

/** The changes of a service's license: each is requested once the earlier one is complete. */
final class Changes
{
    /**
     * Statuses of the API after which a repetition takes another key: nothing happened under this one, or it belongs to
     * an earlier attempt with other parameters (422). What that one did is found on the license.
     */
    private const REJECTED = [400, 404, 409, 422];

    /**
     * @param string $name unique among all panels of the reseller
     * @param string $command what the panel runs; the same command fails if what it left pending is rejected
     * @param \Closure(string): void $report tells staff
     */
    public function __construct(
        private readonly Desk $desk,
        private readonly Memory $memory,
        private readonly string $name,
        private readonly string $command,
        private readonly \Closure $report,
    ) {
    }

    /**
     * Requests a change once the earlier one is complete, which may have had other parameters.
     *
     * @param callable(object): Result $request
     * @param array<string, int|string|null> $ifPending what the memory keeps while it is pending
     * @return Result with `license_id`
     */
    public function request(callable $request, array $ifPending = []): Result
    {
        $this->complete();
        $row = $this->memory->row();
        try {
            $result = $request($row);
        } catch (ApiException $failure) {
            if (self::isRejection($failure)) {
                $this->memory->advance($row);
                // An earlier attempt's: its cause may be gone.
                if ($failure->replayed) {
                    return $this->request($request, $ifPending);
                }
            }
            throw $failure;
        }
        if ($result->isPending()) {
            $this->memory->save(['operation_id' => $result->operationId, 'command' => $this->command] + $ifPending);
            throw new PendingException($this->command);
        }
        return $result;
    }

    /**
     * Completes the earlier change. If it was rejected, its own command fails and another one continues; a paid renewal is
     * reported, and so is the lifting of its suspension, without which the renewal continues. One of test mode that the
     * API key cannot see is forgotten.
     */
    public function complete(bool $reportsAnyRejection = false): void
    {
        $row = $this->memory->row();
        if ($row->operation_id === null) {
            return;
        }
        $operation = $this->desk->findOperation($row->operation_id);
        if ($operation === null) {
            $this->requireRehearsal("pending $row->command");
            $this->memory->save(['operation_id' => null, 'command' => null, 'suspend_reason' => null]);
            return;
        }
        if ($operation['status'] === 'pending') {
            throw new PendingException($row->command);
        }
        $effects = match ("$operation[operation] $operation[status]") {
            'license.register succeeded' => ['license_id' => $operation['license_id']],
            // The panel may have reached the next term meanwhile.
            'license.renew succeeded' => ['renewed_term' => $row->renewing_term],
            // The renewal that is due may lift it.
            'license.suspend succeeded' => $row->due_term === null ? ['suspend_reason' => null] : [],
            'license.suspend rejected', 'license.unsuspend succeeded' => ['suspend_reason' => null],
            default => [],
        };
        $this->memory->save(['operation_id' => null, 'command' => null] + $effects);
        if ($operation['status'] === 'rejected') {
            $this->memory->advance($row);
            if ($operation['operation'] === 'license.unsuspend' && $row->due_term !== null && $row->suspend_reason !== null) {
                $this->endLifting($row, $operation['message']);
                return;
            }
            if ($reportsAnyRejection || $row->command === $this->command) {
                throw new \RuntimeException("The provider rejected $row->command: $operation[message]");
            }
            if ($operation['operation'] === 'license.renew') {
                ($this->report)("The provider rejected the renewal paid for $row->renewing_term: $operation[message]");
            }
        }
    }

    /** The suspension that the renewal in `row` should lift stays: staff decides. */
    public function endLifting(object $row, string $reason): void
    {
        $this->memory->save(['suspend_reason' => null]);
        ($this->report)(
            "The renewal paid for $row->due_term does not lift the suspension, and this is not tried again: "
            . rtrim($reason, '.') . '. Lift it in License Desk, or ask its administrator to.',
        );
    }

    /** Whether a change of the license will fail again. One that the API key cannot see may be another key's. */
    public function isFinal(ApiException $failure): bool
    {
        return match (true) {
            $failure->errorCode === 'LICENSE_NOT_FOUND' => $this->memory->row()->mode === 'test',
            // An admin suspended the license, unless the key lacks the scope.
            $failure->errorCode === 'NO_PERMISSION' => $this->desk->mayWrite(),
            default => self::isRejection($failure),
        };
    }

    /**
     * Fails unless the service's license is of test mode, where licenses disappear. A live one never does: what the API
     * key cannot see is of another mode or reseller.
     *
     * @param string $what is not found
     */
    public function requireRehearsal(string $what): void
    {
        if ($this->memory->row()->mode !== 'test') {
            throw new \RuntimeException(
                "The API key cannot see the service's $what: it belongs to another mode or account. Enter the key that made it.",
            );
        }
    }

    /** The next one is registered under another key. */
    public function forgetLicense(object $row): void
    {
        $columns = ['license_id', 'mode', 'registered_address', 'due_term', 'suspend_reason'];
        $this->memory->save(array_fill_keys($columns, null));
        $this->memory->advance($row);
    }

    public static function isRejection(ApiException $failure): bool
    {
        // Too little balance leaves the key free: a late copy would charge besides a repetition under another key.
        return !in_array($failure->errorCode, ['', 'INSUFFICIENT_BALANCE'], true)
            && !$failure->isUnclear && !$failure->isTemporary() && in_array($failure->status, self::REJECTED, true);
    }

    public function idempotencyKey(object $row, string $operation, string $attempt): string
    {
        return 'panel-' . hash('sha256', implode('|', [$this->name, $operation, $attempt, $row->sequence]));
    }
}
