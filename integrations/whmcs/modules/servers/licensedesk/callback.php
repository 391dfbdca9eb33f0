<?php

/** URL of License Desk's webhooks: `callback.php?server=<id of the server>`. */

declare(strict_types=1);

use LicenseDesk\InvalidWebhookException;
use LicenseDesk\Webhook;
use WHMCS\Module\Server\Licensedesk\Completion;
use WHMCS\Module\Server\Licensedesk\Desk;
use WHMCS\Module\Server\Licensedesk\Store;

require __DIR__ . '/../../../init.php';
require_once __DIR__ . '/lib/load.php';

try {
    $secret = Desk::ofServer((int) ($_GET['server'] ?? 0))?->webhookSecret() ?? '';
    if ($secret === '') {
        throw new InvalidWebhookException("The server has no webhook secret in its Access Hash field.");
    }
    $event = Webhook::verify((string) file_get_contents('php://input'), $_SERVER, $secret);
} catch (InvalidWebhookException $failure) {
    http_response_code(400);
    exit($failure->getMessage());
}
$challenge = Webhook::challengeOf($event);
if ($challenge !== null) {
    exit($challenge);
}
$row = $event['event'] === 'operation.settled' ? Store::findBy('operation_id', $event['data']['operation_id']) : null;
if ($row !== null) {
    Completion::one($row);
}
http_response_code(204);
