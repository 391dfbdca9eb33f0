<?php

/** Endpoint of Upmind's provider *Generic* for software licenses: `POST /?do=create` and others, answered as it expects. */

declare(strict_types=1);

use LicenseDesk\ApiException;
use LicenseDesk\Panel\Desk;
use LicenseDesk\Panel\Failure;
use LicenseDesk\Upmind\Adapter;

require __DIR__ . '/../client/autoload.php';
require __DIR__ . '/../common/autoload.php';
require __DIR__ . '/../src/RequestMemory.php';
require __DIR__ . '/../src/Adapter.php';

$headers = array_change_key_case(getallheaders());
$apiKey = preg_match('/^Bearer (\S+)$/D', $headers['authorization'] ?? '', $matched) === 1 ? $matched[1] : '';
try {
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        throw new InvalidArgumentException('Choose the method POST for every endpoint.');
    }
    if ($apiKey === '') {
        throw new InvalidArgumentException('The request has no API key. Paste it into the Access Token field.');
    }
    $adapter = new Adapter(new Desk((require __DIR__ . '/../config.php')['url'], $apiKey));
    [$status, $answer] = [200, ['success' => true] + $adapter->run((string) ($_GET['do'] ?? ''), $_POST)];
} catch (Throwable $failure) {
    $status = match (true) {
        $failure instanceof ApiException => $failure->status,
        $failure instanceof InvalidArgumentException => 422,
        default => 503,
    };
    $message = $failure instanceof InvalidArgumentException ? $failure->getMessage() : Failure::describe($failure);
    $answer = ['success' => false, 'message' => $message];
    error_log(trim("License Desk: $message " . str_replace($apiKey, '****', Failure::details($failure))));
}
// Upmind shows staff the status line of a failure, never its body.
$reason = $status === 200 ? 'OK' : substr(preg_replace('/[^ -~]+/', ' ', $answer['message']), 0, 200);
header("HTTP/1.1 $status $reason");
header('Content-Type: application/json');
echo json_encode($answer, JSON_THROW_ON_ERROR);
