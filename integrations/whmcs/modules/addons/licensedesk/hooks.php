<?php

declare(strict_types=1);

use WHMCS\Database\Capsule;
use WHMCS\Module\Addon\Licensedesk\PriceSync;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

add_hook('DailyCronJob', 1, static function (): void {
    require_once __DIR__ . '/../../servers/licensedesk/lib/load.php';
    require_once __DIR__ . '/lib/PriceSync.php';
    $setting = static fn (string $name): string => (string) Capsule::table('tbladdonmodules')
        ->where('module', 'licensedesk')->where('setting', $name)->value('value');
    if ($setting('daily') !== 'on') {
        return;
    }
    try {
        logActivity('License Desk: prices set: ' . PriceSync::apply($setting('markup')));
    } catch (RuntimeException $failure) {
        logActivity('License Desk: prices are unchanged: ' . $failure->getMessage());
    }
});
