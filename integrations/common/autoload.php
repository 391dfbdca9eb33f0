<?php

declare(strict_types=1);

/** Loads what the panels' modules share. */
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'LicenseDesk\\Panel\\')) {
        $file = __DIR__ . '/src/' . substr($class, strlen('LicenseDesk\\Panel\\')) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
