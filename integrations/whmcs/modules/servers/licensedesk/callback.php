<?php

/** URL of License Desk's webhooks: `callback.php?server=<id of the server>`. */

declare(strict_types=1);

use LicenseDesk\Panel\Webhook;
use WHMCS\Module\Server\Licensedesk\Completion;
use WHMCS\Module\Server\Licensedesk\Server;
use WHMCS\Module\Server\Licensedesk\Store;

require __DIR__ . '/../../../init.php';
require_once __DIR__ . '/lib/load.php';

$secret = trim((string) (Server::find((int) ($_GET['server'] ?? 0))['serveraccesshash'] ?? ''));
$complete = static function (string $operationId): void {
    $row = Store::findByOperation($operationId);
    if ($row !== null) {
        Completion::one($row);
    }
};
[$status, $body] = Webhook::receive((string) file_get_contents('php://input'), $_SERVER, $secret, $complete);
http_response_code($status);
echo $body;
