<?php

declare(strict_types=1);

use WHMCS\Module\Server\Licensedesk\Completion;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

add_hook('AfterCronJob', 1, static function (): void {
    require_once __DIR__ . '/lib/load.php';
    Completion::all();
});
