<?php

/**
 * One process of the panel. Standard input: `{"addon": fields}` opens the addon's page, `{"run": command, "service": id}`
 * and `{"server": function}` call the server module, `{"hook": point}` runs hooks; `post` is a form. Prints the outcome.
 */

declare(strict_types=1);

require __DIR__ . '/init.php';

$order = json_decode(file_get_contents(PHP_SAPI === 'cli' ? 'php://stdin' : 'php://input'), true, 64, JSON_THROW_ON_ERROR);
$type = isset($order['addon']) ? 'addons' : 'servers';
require __DIR__ . "/modules/$type/licensedesk/licensedesk.php";
foreach (glob(__DIR__ . '/modules/*/licensedesk/hooks.php') as $file) {
    require $file;
}
$_POST = $order['post'] ?? [];
if (isset($order['addon'])) {
    ob_start();
    licensedesk_output($order['addon']);
    $outcome = ob_get_clean();
} else {
    $outcome = match (true) {
        isset($order['run']) => panelRun($order['run'], $order['service']),
        isset($order['server']) => "licensedesk_$order[server]"(panelServer(1)),
        isset($order['hook']) => array_map(static fn (callable $hook) => $hook([]), $GLOBALS['hooks'][$order['hook']]),
    };
}
echo json_encode($outcome, JSON_THROW_ON_ERROR);
