<?php

declare(strict_types=1);

namespace LicenseDesk;

final class Operations
{
    private const FIRST_DELAY_SECONDS = 0.5;
    private const LONGEST_DELAY_SECONDS = 10;

    public function __construct(private readonly Client $client)
    {
    }

    /** An operation as the dispatch interface reports it: ids are numbers. */
    public function info(string $operationId): Result
    {
        return $this->client->call(Operation::OperationInfo, ['operation_id' => $operationId]);
    }

    /** An operation as the path interface reports it: ids are like `lic_12`. */
    public function get(string $operationId): Result
    {
        return $this->client->call(Operation::OperationsGet, id: $operationId);
    }

    /**
     * Asks until the outcome is known, at most so long, and returns the operation once it has succeeded. A question that
     * fails leaves the outcome unknown.
     *
     * @throws OperationRejectedException|OperationPendingException
     */
    public function settled(string $operationId, float $timeoutSeconds = 300): Result
    {
        $deadline = microtime(true) + $timeoutSeconds;
        for ($delay = self::FIRST_DELAY_SECONDS; ; $delay = min(self::LONGEST_DELAY_SECONDS, $delay * 2)) {
            try {
                $operation = $this->client->call(
                    Operation::OperationInfo,
                    ['operation_id' => $operationId],
                    withinSeconds: $deadline - microtime(true),
                );
            } catch (ApiException | ConnectionException $failure) {
                throw new OperationPendingException($operationId, $failure);
            }
            if ($operation['status'] === 'succeeded') {
                return $operation;
            }
            if ($operation['status'] === 'rejected') {
                throw new OperationRejectedException($operation);
            }
            $left = $deadline - microtime(true);
            if ($left <= 0) {
                throw new OperationPendingException($operationId);
            }
            usleep((int) (1e6 * min($delay, $left)));
        }
    }
}
