<?php

/** One process of the panel. Standard input: what it does, `{"run"|"server"|"cron": …}`. Prints the outcome as JSON. */

declare(strict_types=1);

require __DIR__ . '/init.php';
require __DIR__ . '/modules/servers/licensedesk/licensedesk.php';
require __DIR__ . '/modules/servers/licensedesk/hooks.php';

$order = json_decode(stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR);
$_POST = $order['post'] ?? [];
$outcome = match (true) {
    isset($order['run']) => panelRun($order['run'], $order['service']),
    isset($order['server']) => "licensedesk_$order[server]"(panelServer(1)),
    isset($order['hook']) => array_map(static fn (callable $hook) => $hook([]), $GLOBALS['hooks'][$order['hook']]),
};
echo json_encode($outcome, JSON_THROW_ON_ERROR);
