<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Ids are like `evt_1b4e28ba-2fa1-41d2-883f-0016d3cca427`. */
final class Events
{
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Events of the last 30 days, newest first; reads page by page.
     *
     * @param array{limit?: int, kind?: string, license_id?: string} $filter
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(array $filter = []): \Generator
    {
        return Pages::read($this->client, Operation::Events, 'events', $filter);
    }

    /** With its deliveries and attempts. */
    public function get(string $id): Result
    {
        return $this->client->call(Operation::EventsGet, id: $id);
    }

    /** To one endpoint, or to every active one that receives its kind. */
    public function resend(string $id, ?string $webhookEndpointId = null, ?string $idempotencyKey = null): Result
    {
        $parameters = ['webhook_endpoint_id' => $webhookEndpointId];
        return $this->client->call(Operation::EventsResend, $parameters, $idempotencyKey, $id);
    }
}
