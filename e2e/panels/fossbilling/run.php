<?php

/**
 * One process of the panel. Standard input: `{"install": order}` activates the module and places an order,
 * `{"order": method, "id"}` calls the order service as pages and cron do, `{"api": role, "method", "data"}` an API,
 * `{"cart": config, "data"}` checks an order form, `{"cron": true}` runs the hooks. Prints `{"value"}` or `{"failure"}`.
 */

declare(strict_types=1);

$di = require __DIR__ . '/init.php';
$task = json_decode(file_get_contents(PHP_SAPI === 'cli' ? 'php://stdin' : 'php://input'), true, 64, JSON_THROW_ON_ERROR);
$module = $di['mod_service']('servicelicensedesk');
$orders = $di['mod_service']('order');

$install = static function (array $order) use ($di, $module): void {
    $di['dbal']->executeStatement('CREATE TABLE client_order (id INTEGER PRIMARY KEY, client_id INTEGER, service_id INTEGER,
        service_type TEXT, status TEXT, period TEXT, expires_at TEXT, config TEXT)');
    $module->install();
    $di['dbal']->executeStatement("INSERT INTO client_order (id, client_id, service_type, status, period, config)
        VALUES (5, 7, 'licensedesk', 'pending_setup', :period, :config)", $order);
};
$checkOrder = static function (string $config, array $data) use ($module): array {
    $data = $module->attachOrderConfig(new Box\Mod\Product\Entity\Product($config), $data);
    $module->validateOrderData($data);
    return $data;
};
try {
    $value = match (true) {
        isset($task['install']) => $install($task['install']),
        isset($task['order']) => $orders->{$task['order']}($orders->load($task['id'])),
        isset($task['api']) => (new ("Box\\Mod\\Servicelicensedesk\\Api\\$task[api]")($di, (object) ['id' => $task['identity']]))
            ->{$task['method']}($task['data']),
        isset($task['cart']) => $checkOrder($task['cart'], $task['data']),
        isset($task['sql']) => $di['dbal']->executeStatement($task['sql']),
        isset($task['read']) => (array) $orders->load($task['read']),
        isset($task['cron']) => $module::onBeforeAdminCronRun(new Box_Event($di)),
    };
    echo json_encode(['value' => $value], JSON_THROW_ON_ERROR);
} catch (FOSSBilling\Exception $failure) {
    echo json_encode(['failure' => $failure->getMessage()], JSON_THROW_ON_ERROR);
}
