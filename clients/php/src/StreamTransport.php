<?php

declare(strict_types=1);

namespace LicenseDesk;

/** PHP's own streams: no extension, but `allow_url_fopen` must be on. */
final class StreamTransport implements Transport
{
    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Response
    {
        $lines = array_map(static fn (string $name): string => "$name: $headers[$name]", array_keys($headers));
        $options = [
            'method' => $method,
            'header' => [...$lines, 'Connection: close'],
            'ignore_errors' => true,
            'follow_location' => 0,
            'protocol_version' => 1.1,
            'timeout' => $timeoutSeconds,
        ] + ($body === null ? [] : ['content' => $body]);
        $deadline = microtime(true) + $timeoutSeconds;
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw new ConnectionException('No response: ' . (error_get_last()['message'] ?? 'unknown error'));
        }
        try {
            $head = array_values(stream_get_meta_data($stream)['wrapper_data']);
            $length = Response::headers($head)['content-length'] ?? null;
            return Response::parse($head, $this->read($stream, $length === null ? PHP_INT_MAX : (int) $length, $deadline));
        } finally {
            fclose($stream);
        }
    }

    /**
     * Does not wait for the end of the connection, which may stay open.
     *
     * @param resource $stream
     */
    private function read($stream, int $length, float $deadline): string
    {
        $text = '';
        while (strlen($text) < $length && !feof($stream)) {
            $chunk = fread($stream, min(65536, $length - strlen($text)));
            if ($chunk === false || stream_get_meta_data($stream)['timed_out'] || microtime(true) > $deadline) {
                throw new ConnectionException('The response did not arrive in time.');
            }
            $text .= $chunk;
        }
        return $text;
    }
}
