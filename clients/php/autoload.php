<?php

declare(strict_types=1);

/** Loads the client without Composer. */
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'LicenseDesk\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('LicenseDesk\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
