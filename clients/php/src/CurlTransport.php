<?php

declare(strict_types=1);

namespace LicenseDesk;

/** ext-curl; keeps the connection open between requests. */
final class CurlTransport implements Transport
{
    private readonly \CurlHandle $handle;

    public function __construct()
    {
        $this->handle = curl_init();
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Response
    {
        $received = [];
        // No "Expect: 100-continue": it costs a round trip.
        $lines = ['Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        curl_reset($this->handle);
        curl_setopt_array($this->handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$received): int {
                // A 100 precedes the real response.
                $received = str_starts_with($line, 'HTTP/') ? [] : $received;
                if (trim($line) !== '') {
                    $received[] = trim($line);
                }
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $text = curl_exec($this->handle);
        if ($text === false) {
            throw new ConnectionException('No response: ' . curl_error($this->handle));
        }
        return Response::parse($received, $text);
    }
}
