<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Ids are like `whe_12`. */
final class WebhookEndpoints
{
    public function __construct(private readonly Client $client)
    {
    }

    /** @return list<array<string, mixed>> */
    public function list(): array
    {
        return $this->client->call(Operation::WebhookEndpoints)['webhook_endpoints'];
    }

    /**
     * The answer has the `secret`, which is shown only here, and is empty for a chat.
     *
     * @param array{format?: string, url?: string, bot_token?: string, chat_id?: string, description?: string, events?: list<string>, concurrency?: int, ordered?: bool} $parameters
     */
    public function create(array $parameters, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::WebhookEndpointsCreate, $parameters, $idempotencyKey);
    }

    public function get(string $id): Result
    {
        return $this->client->call(Operation::WebhookEndpointsGet, id: $id);
    }

    /** @param array{format?: string, url?: string, bot_token?: string, chat_id?: string, description?: string, events?: list<string>, concurrency?: int, ordered?: bool, status?: string} $changes */
    public function update(string $id, array $changes): Result
    {
        return $this->client->call(Operation::WebhookEndpointsUpdate, $changes, id: $id);
    }

    public function delete(string $id): Result
    {
        return $this->client->call(Operation::WebhookEndpointsDelete, id: $id);
    }

    /** The previous secret signs too for 24 hours. */
    public function rotateSecret(string $id, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::WebhookEndpointsRotateSecret, [], $idempotencyKey, $id);
    }

    /** Sends a new challenge or, with the code that a chat received, activates it. */
    public function verify(string $id, ?string $idempotencyKey = null, ?string $code = null): Result
    {
        return $this->client->call(Operation::WebhookEndpointsVerify, ['code' => $code], $idempotencyKey, $id);
    }

    /** Sends a test event; default: `license.activated`. */
    public function test(string $id, ?string $event = null, ?string $idempotencyKey = null): Result
    {
        return $this->client->call(Operation::WebhookEndpointsTest, ['event' => $event], $idempotencyKey, $id);
    }
}
