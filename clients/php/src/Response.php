<?php

declare(strict_types=1);

namespace LicenseDesk;

final class Response
{
    /** @param array<string, string> $headers names in lower case */
    private function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /**
     * @param list<string> $lines status line and headers
     * @throws ConnectionException
     */
    public static function parse(array $lines, string $body): self
    {
        $headers = self::headers($lines);
        if (preg_match('#^HTTP/\S+ (\d{3})#', $lines[0] ?? '', $matched) !== 1) {
            throw new ConnectionException('The response is not HTTP.');
        }
        if (strlen($body) < (int) ($headers['content-length'] ?? 0)) {
            throw new ConnectionException('The response is incomplete.');
        }
        return new self((int) $matched[1], $headers, $body);
    }

    /** Whether it is the stored answer to an earlier request. */
    public function isReplayed(): bool
    {
        return ($this->headers['idempotent-replayed'] ?? '') === 'true';
    }

    /**
     * @param list<string> $lines
     * @return array<string, string>
     */
    public static function headers(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return $headers;
    }
}
