<?php

declare(strict_types=1);

namespace LicenseDesk\Panel;

use LicenseDesk\InvalidWebhookException;
use LicenseDesk\Webhook as Events;

/** Receives `operation.settled`. */
final class Webhook
{
    /**
     * @param callable(string): void $complete gets the id of an operation whose outcome is known
     * @return array{int, string} status and body of the response
     */
    public static function receive(string $body, array $headers, #[\SensitiveParameter] string $secret, callable $complete): array
    {
        try {
            if ($secret === '') {
                throw new InvalidWebhookException('The panel has no webhook secret yet.');
            }
            $event = Events::verify($body, $headers, $secret);
        } catch (InvalidWebhookException | \InvalidArgumentException $failure) {
            return [400, $failure->getMessage()];
        }
        $challenge = Events::challengeOf($event);
        if ($challenge !== null) {
            return [200, $challenge];
        }
        if ($event['event'] === 'operation.settled') {
            $complete($event['data']['operation_id']);
        }
        return [204, ''];
    }
}
