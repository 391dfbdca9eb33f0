<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Receives events: Standard Webhooks 1.0. */
final class Webhook
{
    private const CHALLENGE = 'webhook.endpoint_verification';

    /**
     * Returns the event of a genuine request, with the `webhook-id` as `id`: `id`, `event`, `timestamp`, `data`.
     * An event may arrive again, always with the same id.
     *
     * @param string $body exactly as received: `file_get_contents('php://input')`
     * @param array<string, string> $headers `getallheaders()` or `$_SERVER`
     * @param string $secret `whsec_…`
     * @return array<string, mixed>
     * @throws InvalidWebhookException
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string $secret,
        int $toleranceSeconds = 300,
    ): array {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        if (preg_match('/^\d+$/D', $timestamp) !== 1 || abs(time() - (int) $timestamp) > $toleranceSeconds) {
            throw new InvalidWebhookException('The webhook is too old, or its clock is wrong.');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('The secret of a webhook is whsec_ and base64.');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        $isGenuine = false;
        foreach (explode(' ', self::header($headers, 'webhook-signature')) as $signature) {
            $isGenuine = hash_equals($expected, $signature) || $isGenuine;
        }
        $event = $isGenuine ? Json::decodeObject($body) : null;
        return ['id' => $id] + ($event ?? throw new InvalidWebhookException('The signature does not match.'));
    }

    /**
     * What the response's body must be if the event is a challenge; null for every other event.
     *
     * @param array<string, mixed> $event
     */
    public static function challengeOf(array $event): ?string
    {
        return $event['event'] === self::CHALLENGE ? (string) $event['data']['challenge'] : null;
    }

    /** @param array<string, string> $headers */
    private static function header(array $headers, string $name): string
    {
        foreach ($headers as $given => $value) {
            if (strtolower(strtr(preg_replace('/^HTTP_/', '', (string) $given), '_', '-')) === $name) {
                return (string) $value;
            }
        }
        throw new InvalidWebhookException("The header $name is missing.");
    }
}
