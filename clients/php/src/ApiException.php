<?php

declare(strict_types=1);

namespace LicenseDesk;

/** The API rejected the request. */
final class ApiException extends LicenseDeskException
{
    private const RETRYABLE_STATUSES = [408, 429, 502, 503, 504];
    private const RETRYABLE_CODES = ['IDEMPOTENCY_IN_PROGRESS', 'OPERATION_IN_PROGRESS'];
    /** Given before the idempotency key is looked up, so they say nothing about an earlier attempt. */
    private const EARLY_STATUSES = [401, 403, 408, 429];
    /**
     * They leave the idempotency key free: an earlier attempt still on its way is carried out once it arrives. A changed
     * price is 409 `INVALID_REQUEST` on the path interface.
     */
    private const UNSTORED_REPLIES = [
        '400 INSUFFICIENT_BALANCE',
        '409 INVALID_REQUEST',
        '409 OPERATION_IN_PROGRESS',
        '409 PRICE_CHANGED',
    ];

    /** Sent with the request; null for requests that only read, and for dry runs. */
    public ?string $idempotencyKey = null;
    /** The change may have happened: repeat it only under the same idempotency key. */
    public bool $isUnclear = false;

    /**
     * @param string $errorCode such as `INSUFFICIENT_BALANCE`; empty if something in between answered, such as a proxy
     * @param array<string, string> $details invalid fields and amounts
     * @param bool $replayed an earlier request under the same idempotency key was rejected
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly array $details,
        public readonly ?string $requestId,
        public readonly ?int $retryAfterSeconds,
        public readonly bool $replayed,
    ) {
        parent::__construct($message);
    }

    public static function from(Response $response): self
    {
        $body = Json::decodeObject($response->body);
        // What is in between may answer in JSON, too.
        $body = ($body['error'] ?? null) === true ? $body : [];
        return new self(
            $response->status,
            (string) ($body['code'] ?? ''),
            (string) ($body['message'] ?? "The server answered with status $response->status."),
            (array) ($body['details'] ?? []),
            $response->headers['x-request-id'] ?? null,
            RetryAfter::parse($response->headers['retry-after'] ?? ''),
            $response->isReplayed(),
        );
    }

    /** @internal with the key of the attempt, and whether an earlier one was unclear */
    public function setAttempt(?string $idempotencyKey, bool $wasUnclear): void
    {
        $this->idempotencyKey = $idempotencyKey;
        $isOpen = $this->status >= 500 || in_array($this->errorCode, ['', 'IDEMPOTENCY_IN_PROGRESS'], true);
        $saysNothing = in_array($this->status, self::EARLY_STATUSES, true)
            || in_array("$this->status $this->errorCode", self::UNSTORED_REPLIES, true);
        $staysOpen = $wasUnclear && $saysNothing;
        $this->isUnclear = $idempotencyKey !== null && ($isOpen || $staysOpen);
    }

    public function isTemporary(): bool
    {
        return in_array($this->status, self::RETRYABLE_STATUSES, true)
            || in_array($this->errorCode, self::RETRYABLE_CODES, true);
    }
}
