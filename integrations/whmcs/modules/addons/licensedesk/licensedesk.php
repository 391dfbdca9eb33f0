<?php

/** Addon module of License Desk: costs and prices of the products that the server module sells. */

declare(strict_types=1);

use WHMCS\Module\Addon\Licensedesk\PriceSync;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

require_once __DIR__ . '/../../servers/licensedesk/lib/load.php';
require_once __DIR__ . '/lib/PriceSync.php';

function licensedesk_config(): array
{
    return [
        'name' => 'License Desk prices',
        'description' => 'Keeps prices at what License Desk charges plus a markup.',
        'version' => '1.0',
        'author' => 'License Desk',
        'fields' => [
            'markup' => ['FriendlyName' => 'Markup in percent', 'Type' => 'text', 'Size' => '6', 'Default' => '25'],
            'daily' => ['FriendlyName' => 'Set prices daily', 'Type' => 'yesno', 'Description' => 'With the daily cron'],
        ],
    ];
}

/** Shows costs and prices; the button sets them. */
function licensedesk_output(array $vars): void
{
    $isRequested = isset($_POST['apply']);
    if ($isRequested) {
        check_token('WHMCS.admin.default');
    }
    try {
        $count = $isRequested ? PriceSync::apply($vars['markup']) : null;
        $plan = PriceSync::plan($vars['markup']);
    } catch (RuntimeException $failure) {
        echo '<div class="alert alert-danger">' . htmlspecialchars($failure->getMessage()) . '</div>';
        return;
    }
    if ($count !== null) {
        echo "<div class=\"alert alert-success\">Prices set: $count.</div>";
    }
    echo '<table class="table"><tr><th>Product<th>Price<th>Currency<th>Cost<th>Now<th>With markup</tr>';
    foreach ($plan as ['product' => $product, 'currency' => $currency, 'column' => $column, 'cost' => $cost,
        'before' => $before, 'after' => $after]) {
        $cells = array_map('htmlspecialchars', [$product->name, $column, $currency->code, $cost, $before, $after]);
        echo '<tr><td>' . implode('<td>', $cells) . '</tr>';
    }
    echo '</table><form method="post" action="' . htmlspecialchars($vars['modulelink']) . '">' . generate_token();
    echo '<button class="btn btn-primary" name="apply" value="1">Set prices</button></form>';
}
