<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Sends one HTTP request and reads the whole response. Redirects are responses. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @throws ConnectionException if no complete response arrives in time
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Response;
}
