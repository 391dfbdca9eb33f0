<?php

/**
 * Makes calls of the PHP client. Standard input: `{"client": {…named arguments}, "calls": [{"on", "do", "args"}]}`;
 * `on` is a group such as `licenses`, empty for the client, or the number of an earlier call for its result. Prints a
 * list of `{"value"}` or `{"failure"}`, and ends at the first failure.
 */

declare(strict_types=1);

use LicenseDesk\{ApiException, Client, ConnectionException, CurlTransport, LicenseDeskException, OperationRejectedException};
use LicenseDesk\{OperationPendingException, Result, StreamTransport};

error_reporting(E_ALL);
set_error_handler(function (int $level, string $message): bool {
    // Silenced by @.
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level);
});
require __DIR__ . '/../../../clients/php/autoload.php';

function describe(mixed $value): mixed
{
    return match (true) {
        $value instanceof Generator => iterator_to_array($value, false),
        $value instanceof Result => ['status' => $value->status, 'data' => $value->data, 'pending' => $value->isPending(),
            'operationId' => $value->operationId, 'replayed' => $value->replayed],
        default => $value,
    };
}

function describeFailure(LicenseDeskException $failure): array
{
    $facts = match (true) {
        $failure instanceof ApiException => ['status' => $failure->status, 'code' => $failure->errorCode,
            'details' => (object) $failure->details, 'requestId' => $failure->requestId, 'retryAfter' => $failure->retryAfterSeconds,
            'idempotencyKey' => $failure->idempotencyKey, 'isUnclear' => $failure->isUnclear],
        $failure instanceof ConnectionException => ['idempotencyKey' => $failure->idempotencyKey],
        $failure instanceof OperationRejectedException => ['operation' => $failure->operation->data],
        $failure instanceof OperationPendingException => ['operationId' => $failure->operationId],
        default => [],
    };
    return ['class' => get_class($failure), 'message' => $failure->getMessage()] + $facts;
}

$order = json_decode(stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR);
$transport = getenv('TRANSPORT') === 'curl' ? new CurlTransport() : new StreamTransport();
$client = new Client(...$order['client'], transport: $transport);
$results = [];
$outcomes = [];
foreach ($order['calls'] as ['on' => $on, 'do' => $do, 'args' => $arguments]) {
    try {
        $target = is_int($on) ? $results[$on] : ($on === '' ? $client : $client->$on);
        $results[] = $target->$do(...$arguments);
        $outcomes[] = ['value' => describe(end($results))];
    } catch (LicenseDeskException $failure) {
        $outcomes[] = ['failure' => describeFailure($failure)];
        break;
    }
}
echo json_encode($outcomes, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
