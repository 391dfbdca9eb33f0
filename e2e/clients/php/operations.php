<?php

/**
 * Prints what the PHP client knows of the API: its operations, its methods, the operations that these request, the
 * parameters that they declare (whether each is required), and the fields that it reads as money.
 */

declare(strict_types=1);

use LicenseDesk\{Client, ConnectionException, Json, LicenseDeskException, Operation, Response, Transport};

require __DIR__ . '/../../../clients/php/autoload.php';

/** Records each request and loses it. */
final class Recorder implements Transport
{
    /** @var list<string> */
    public array $requests = [];

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Response
    {
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        $path = substr((string) parse_url($url, PHP_URL_PATH), strlen('/api/v1'));
        $this->requests[] = "$method " . ($path === '/' ? "/dispatch/$query[endpoint]" : str_replace('ID', '{id}', $path));
        throw new ConnectionException('recorded');
    }
}

function argumentFor(ReflectionParameter $parameter): mixed
{
    return match ((string) $parameter->getType()) {
        'array' => [],
        'string' => 'ID',
    };
}

/** @return array<string, bool>|null of the method's array of parameters: whether each is required */
function declaredBy(ReflectionMethod $method): ?array
{
    if (preg_match('/array\{([^}]*)\} \$/', (string) $method->getDocComment(), $shape) !== 1) {
        return null;
    }
    preg_match_all('/(\w+)(\??):/', $shape[1], $fields);
    return array_map(static fn (string $mark): bool => $mark === '', array_combine($fields[1], $fields[2]));
}

$recorder = new Recorder();
$declared = [];
$methods = [];
$client = new Client('http://desk.example', 'key', maxRetries: 0, transport: $recorder);
$groups = array_filter(get_object_vars($client), 'is_object');
foreach (['' => $client] + $groups as $group => $object) {
    foreach ((new ReflectionObject($object))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
        if (str_starts_with($method->name, '__') || $method->name === 'call') {
            continue;
        }
        $methods[$group === '' ? '' : "->$group"][] = $method->name;
        $required = array_slice($method->getParameters(), 0, $method->getNumberOfRequiredParameters());
        try {
            $result = $method->invokeArgs($object, array_map('argumentFor', $required));
            $result instanceof Generator && $result->current();
        } catch (LicenseDeskException) {
        }
        $fields = declaredBy($method);
        if ($fields !== null) {
            $declared[end($recorder->requests)] = $fields;
        }
    }
}
echo json_encode([
    'operations' => array_column(array_map(fn (Operation $one) => [lcfirst($one->name), $one->value], Operation::cases()), 1, 0),
    'takeKey' => array_column(array_filter(Operation::cases(), fn (Operation $one) => $one->takesKey()), 'value'),
    'requested' => array_values(array_unique($recorder->requests)),
    'methods' => $methods,
    'declared' => $declared,
    'money' => Json::MONEY_FIELDS,
], JSON_THROW_ON_ERROR);
