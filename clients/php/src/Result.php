<?php

declare(strict_types=1);

namespace LicenseDesk;

/**
 * The answer to a request. Its fields are read as of an array: `$license['license_key']`.
 *
 * @implements \ArrayAccess<string, mixed>
 */
final class Result implements \ArrayAccess
{
    /** Of a change that the provider has not confirmed, otherwise null. */
    public readonly ?string $operationId;

    /** @param array<string, mixed> $data amounts are decimal text */
    public function __construct(
        private readonly Client $client,
        public readonly int $status,
        public readonly array $data,
        public readonly string $message,
        public readonly bool $replayed,
        public readonly ?string $requestId,
    ) {
        $named = preg_match('#/operations/([0-9a-f-]{36})#', $message, $matched) === 1 ? $matched[1] : null;
        $this->operationId = $status === 202 ? ($data['operation_id'] ?? $named) : null;
    }

    public function isPending(): bool
    {
        return $this->operationId !== null;
    }

    /**
     * Returns this result once its change has succeeded: at once unless it is pending.
     *
     * @throws OperationRejectedException|OperationPendingException
     */
    public function settled(float $timeoutSeconds = 300): self
    {
        if ($this->operationId !== null) {
            $this->client->operations->settled($this->operationId, $timeoutSeconds);
        }
        return $this;
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->data[$offset]);
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->data[$offset];
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        throw new \LogicException('A result cannot be changed.');
    }

    public function offsetUnset(mixed $offset): void
    {
        throw new \LogicException('A result cannot be changed.');
    }
}
