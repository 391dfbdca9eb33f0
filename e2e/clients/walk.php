<?php
/**
 * Walks the life of a license as a billing module does: PHP's own functions, nothing else.
 *
 * BASE_URL=http://… API_KEY=lk_live_… php walk.php
 *
 * Status, headers, field names and types of every answer are checked. What the reseller needs: see walk.py.
 */
declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(function (int $level, string $message): never {
    throw new ErrorException($message, 0, $level);
});

const TIMESTAMP = '/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/D';
const DAY = '/^\d{4}-\d\d-\d\d$/D';
const CURRENCY = '/^[A-Z]{3}$/D';
const LICENSE_KEY = '/^LIC(-[0-9A-HJKMNP-TV-Z]{5}){4}$/D';
const UUID = '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D';

function setting(string $name, string $default = ''): string
{
    $value = getenv($name);
    return $value === false ? $default : $value;
}

$checks = 0;

function check(bool $condition, string $message): void
{
    global $checks;
    $checks++;
    if (!$condition) {
        fwrite(STDERR, "FAILED: $message\n");
        exit(1);
    }
}

/** A shape is int, number, text, a pattern, a value, a list of one shape, or fields; `any` has alternatives. */
function matches(mixed $value, mixed $shape): bool
{
    if ($shape instanceof Closure) {
        return $shape($value);
    }
    if (is_string($shape) && str_starts_with($shape, '/^')) {
        return is_string($value) && preg_match($shape, $value) === 1;
    }
    if (is_array($shape)) {
        if (array_is_list($shape)) {
            return is_array($value) && array_is_list($value)
                && array_reduce($value, fn (bool $all, mixed $one) => $all && matches($one, $shape[0]), true);
        }
        if (!is_object($value)) {
            return false;
        }
        $fields = get_object_vars($value);
        if (array_diff_key($fields, $shape) || array_diff_key($shape, $fields)) {
            return false;
        }
        foreach ($shape as $name => $one) {
            if (!matches($fields[$name], $one)) {
                return false;
            }
        }
        return true;
    }
    return match ($shape) {
        'int' => is_int($value),
        'number' => is_int($value) || is_float($value),
        'text' => is_string($value),
        default => $value === $shape,
    };
}

function any(mixed ...$shapes): Closure
{
    return fn (mixed $value) => array_filter($shapes, fn (mixed $one) => matches($value, $one)) !== [];
}

/** @return array{int, array<string, list<string>>, mixed, string} */
function send(string $method, string $target, array $headers = [], ?string $body = null): array
{
    $lines = ['X-Forwarded-For: ' . setting('SOURCE', '10.89.0.1')];
    foreach ($headers as $name => $value) {
        $lines[] = "$name: $value";
    }
    $options = ['method' => $method, 'header' => $lines, 'ignore_errors' => true, 'follow_location' => 0,
        'protocol_version' => 1.1, 'timeout' => 30];
    if ($body !== null) {
        $options['content'] = $body;
    }
    $stream = fopen(setting('BASE_URL') . "/api/v1$target", 'r', false, stream_context_create(['http' => $options]));
    $text = stream_get_contents($stream);
    $raw = stream_get_meta_data($stream)['wrapper_data'];
    check(preg_match('#^HTTP/1\.1 (\d{3}) #', $raw[0], $matched) === 1, "no status line: $raw[0]");
    $status = (int) $matched[1];
    $received = [];
    foreach (array_slice($raw, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $received[strtolower($name)][] = trim($value);
    }
    $where = "$method $target -> $status " . substr($text, 0, 300);
    $expected = ['content-type' => '/^application\/json$/D', 'x-content-type-options' => '/^nosniff$/D',
        'x-ratelimit-limit' => '/^[1-9]\d*$/D', 'x-ratelimit-remaining' => '/^\d+$/D',
        'x-ratelimit-reset' => '/^\d{10}$/D', 'x-request-id' => '/^\S+$/D'];
    foreach ($expected as $name => $pattern) {
        check(count($received[$name] ?? []) === 1, "$where: the header $name is not there once");
        check(preg_match($pattern, $received[$name][0]) === 1, "$where: $name is {$received[$name][0]}");
    }
    $json = $text === '' ? null : json_decode($text, false, 64, JSON_THROW_ON_ERROR);
    return [$status, $received, $json, $where];
}

function expect(array $answer, int $status, mixed $shape): object
{
    [$actual, , $body, $where] = $answer;
    check($actual === $status, "$where: not $status");
    check(matches($body, $shape), "$where: not of the form " . json_encode($shape));
    return $body;
}

function dispatch(string $operation, array $fields = [], string $method = 'POST', array $headers = []): array
{
    $headers += ['X-API-Key' => setting('API_KEY')];
    $query = http_build_query(['endpoint' => $operation] + ($method === 'GET' ? $fields : []));
    if ($method === 'GET') {
        return send('GET', "/?$query", $headers);
    }
    $headers += ['Content-Type' => 'application/x-www-form-urlencoded'];
    return send($method, "/?$query", $headers, http_build_query($fields));
}

function path(string $method, string $address, array $fields = []): array
{
    $headers = ['Authorization' => 'Bearer ' . setting('API_KEY')];
    if ($method === 'GET') {
        return send('GET', $address . ($fields ? '?' . http_build_query($fields) : ''), $headers);
    }
    $headers['Content-Type'] = 'application/json; charset=utf-8';
    return send($method, $address, $headers, json_encode((object) $fields, JSON_THROW_ON_ERROR));
}

function done(array $data): array
{
    return ['success' => true, 'message' => 'text', 'data' => $data];
}

function refused(string $code, string ...$fields): array
{
    $details = fn (mixed $value) => is_object($value) && array_keys(get_object_vars($value)) == $fields;
    return ['success' => false, 'error' => true, 'code' => $code, 'message' => 'text', 'details' => $details];
}

function refusedPath(string $code, string ...$fields): array
{
    return array_diff_key(refused($code, ...$fields), ['success' => 0]);
}

$money = ['price' => 'number', 'currency' => CURRENCY, 'balance_after' => 'number'];
$cycle = ['cycle_id' => 'int', 'name' => 'text', 'months' => 'int', 'price' => 'number', 'setup_fee' => 'number',
    'price_per_core' => any('number', null), 'currency' => CURRENCY];
$product = ['product_id' => 'int', 'name' => 'text', 'type' => 'text', 'core_metered' => any(true, false),
    'workers' => 'int', 'cycles' => [$cycle]];
$bundle = ['bundle_id' => 'int', 'name' => 'text', 'description' => 'text', 'cycles' => [$cycle],
    'products' => [['product_id' => 'int', 'name' => 'text', 'type' => 'text']]];
$subnet = setting('SUBNET', '10.89.' . time() % 250);

$balance = expect(dispatch('balance', [], 'GET'), 200, ['success' => true,
    'data' => ['balance' => 'number', 'currency' => CURRENCY, 'pending_transactions' => 'int']])->data->balance;
$products = expect(dispatch('products', [], 'GET'), 200, ['success' => true, 'data' => ['products' => [$product]]]);
$bundles = expect(dispatch('bundles', [], 'GET'), 200, ['success' => true, 'data' => ['bundles' => [$bundle]]]);
$ofType = fn (string $type) => array_values(array_filter($products->data->products, fn ($one) => $one->type === $type))[0];
$panel = $ofType(setting('TYPE', 'control_panel'));
$metered = $ofType(setting('METERED_TYPE', 'web_server'));
$named = setting('BUNDLE');
$chosen = array_values(array_filter($bundles->data->bundles, fn ($one) => $named === '' || $one->name === $named))[0];

// A license of its own. Forms send true, false and null as 1, 0 and nothing; unknown fields are ignored.
$bought = ['license_id' => 'int', 'license_key' => LICENSE_KEY, 'expires_at' => TIMESTAMP] + $money;
$order = ['product_id' => $panel->product_id, 'cycle_id' => $panel->cycles[0]->cycle_id, 'ip_address' => "$subnet.1",
    'notes' => "Zeile 1\r\nZeile 2 & mehr", 'domain' => 'shop.example', 'auto' => true, 'none' => null];
$once = ['Idempotency-Key' => bin2hex(random_bytes(8))];
$license = expect(dispatch('license.register', $order, 'POST', $once), 200, done($bought))->data;
$replay = dispatch('license.register', $order, 'POST', $once);
check(($replay[1]['idempotent-replayed'] ?? []) === ['true'] && $replay[2]->data == $license, 'no replay');
$first = $panel->cycles[0];
check(abs($balance - $license->balance_after - $first->price - $first->setup_fee) < 0.0001, 'another charge');
expect(dispatch('license.register', ['ip_address' => '1.2.3'] + $order), 400, refused('INVALID_IP_ADDRESS', 'ip_address'));

$which = ['license_id' => $license->license_id];
$info = ['license_id' => $license->license_id, 'license_key' => $license->license_key,
    'product_id' => $panel->product_id, 'product' => $panel->name, 'cycle_months' => $first->months,
    'ip_address' => "$subnet.1", 'status' => 'active', 'issued_at' => TIMESTAMP, 'expires_at' => $license->expires_at,
    'days_remaining' => 'int', 'cores' => null, 'notes' => "Zeile 1\r\nZeile 2 & mehr",
    'auto_renew' => false];
expect(dispatch('license.info', $which, 'GET'), 200, ['success' => true, 'data' => $info]);

$verify = function (string $address, bool $valid, string $code) use ($license, $panel): void {
    $shape = ['valid' => $valid, 'type' => $panel->type, 'expires' => DAY, 'message' => 'text', 'code' => $code];
    $seen = ['license_key' => strtolower($license->license_key), 'ip_address' => $address];
    expect(path('POST', '/license/verify', $seen), 200, $shape);
};
$verify("$subnet.1", true, 'VALID');
$verify("$subnet.9", false, 'IP_MISMATCH');
$suspended = ['license_id' => 'int', 'status' => 'suspended', 'reason' => 'unpaid', 'suspended_at' => TIMESTAMP];
expect(dispatch('license.suspend', $which + ['reason' => 'unpaid']), 200, done($suspended));
$verify("$subnet.1", false, 'SUSPENDED');
expect(dispatch('license.unsuspend', $which), 200, done(['license_id' => 'int', 'status' => 'active']));
$moved = ['license_id' => 'int', 'old_ip' => "$subnet.1", 'new_ip' => "$subnet.2", 'provider_status' => 'updated'];
expect(dispatch('license.change_ip', $which + ['new_ip' => "$subnet.2"]), 200, done($moved));
$renewed = ['license_id' => 'int', 'new_expiry' => TIMESTAMP] + $money;
expect(dispatch('license.renew', $which + ['cycle_id' => null]), 200, done($renewed));
$status = ['status' => 'active', 'type' => $panel->type, 'expires' => DAY, 'cores' => 0, 'workers' => 'int',
    'ip' => "$subnet.2", 'hostname' => ''];
expect(path('GET', '/license/status', ['license_id' => 'lic_' . $license->license_id]), 200, $status);
$item = ['id' => '/^lic_[1-9]\d*$/D', 'type' => 'text', 'status' => 'text', 'expires' => DAY, 'server' => 'text'];
expect(path('GET', '/licenses'), 200, ['licenses' => [$item]]);
expect(path('GET', '/licenses', ['limit' => 1]), 200, ['licenses' => [$item], 'next_cursor' => any('text', null)]);

// A metered one.
$order = ['product_id' => $metered->product_id, 'cycle_id' => $metered->cycles[0]->cycle_id, 'ip_address' => "$subnet.3"];
$license = expect(dispatch('license.register', $order), 200, done($bought))->data;
$cores = ['license_id' => 'int', 'old_cores' => 1, 'new_cores' => 3, 'provider_status' => 'updated'] + $money;
expect(dispatch('license.change_core', ['license_id' => $license->license_id, 'cores' => 3]), 200, done($cores));
$down = expect(dispatch('license.change_core', ['license_id' => $license->license_id, 'cores' => 1]), 200,
    done(['old_cores' => 3, 'new_cores' => 1] + $cores))->data;
check($down->price < 0, 'removing cores costs something');

// A bundle.
$member = ['license_id' => 'int', 'license_key' => LICENSE_KEY, 'product' => 'text', 'expires_at' => TIMESTAMP];
$head = ['bundle_instance_id' => 'int', 'bundle_id' => $chosen->bundle_id, 'name' => $chosen->name, 'expires_at' => TIMESTAMP];
$order = ['bundle_id' => $chosen->bundle_id, 'cycle_id' => $chosen->cycles[0]->cycle_id, 'ip_address' => "$subnet.4"];
$instance = expect(dispatch('bundle.register', $order), 200,
    done($head + ['ip_address' => "$subnet.4", 'licenses' => [$member]] + $money))->data;
$which = ['bundle_instance_id' => $instance->bundle_instance_id];
expect(dispatch('bundle.change_ip', $which + ['new_ip' => "$subnet.5"]), 200, done(['price' => 0, 'old_ip' => "$subnet.4",
    'new_ip' => "$subnet.5", 'provider_status' => 'updated', 'bundle_instance_id' => 'int',
    'licenses' => [['license_id' => 'int', 'provider_status' => 'updated']]] + $money));
expect(dispatch('bundle.renew', $which), 200, done(['bundle_instance_id' => 'int', 'new_expiry' => TIMESTAMP,
    'licenses' => [['license_id' => 'int', 'new_expiry' => TIMESTAMP]]] + $money));
expect(dispatch('bundle.info', $which, 'GET'), 200, ['success' => true,
    'data' => $head + ['ip_address' => "$subnet.5", 'licenses' => [$member + ['status' => 'active']]]]);

// An outcome that is not known yet.
$order = ['product_id' => $panel->product_id, 'cycle_id' => $panel->cycles[0]->cycle_id, 'ip_address' => '192.0.2.20'];
$pending = expect(dispatch('license.register', $order), 202,
    done($bought + ['status' => 'pending', 'operation_id' => UUID]))->data;
$operation = ['operation' => 'license.register', 'status' => any('pending', 'succeeded'), 'message' => 'text',
    'license_id' => $pending->license_id, 'bundle_instance_id' => null, 'price' => 'number', 'currency' => CURRENCY,
    'created_at' => TIMESTAMP, 'settled_at' => any(TIMESTAMP, null)];
expect(dispatch('operation.info', ['operation_id' => $pending->operation_id], 'GET'), 200,
    ['success' => true, 'data' => $operation]);

// What is refused.
expect(dispatch('license.delete'), 404, refused('UNKNOWN_ENDPOINT', 'endpoint'));
expect(dispatch('license.register'), 400, refused('MISSING_PRODUCT_ID', 'product_id', 'cycle_id', 'ip_address'));
expect(dispatch('license.renew', ['license_id' => '1.0']), 400, refused('INVALID_PARAMETER', 'license_id'));
expect(dispatch('balance', [], 'GET', ['X-API-Key' => 'no']), 401, refused('INVALID_API_KEY'));
expect(path('POST', '/license/verify', ['license_key' => 'LIC-1']), 400, refusedPath('INVALID_LICENSE', 'license_key'));
expect(path('GET', '/license/status', ['licenseid' => 1]), 400,
    refusedPath('INVALID_REQUEST', 'license_key', 'license_id', 'ip_address'));

echo "The walk is done: $checks checks.\n";
