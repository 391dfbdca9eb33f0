<?php

/** FOSSBilling's container, over an SQLite file. */

declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    // Silenced by @.
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});
define('SYSTEM_URL', 'https://billing.example/');
require __DIR__ . '/stubs.php';
require __DIR__ . '/orders.php';
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/modules/' . strtr(substr($class, strlen('Box\\Mod\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Box\\Mod\\') && is_file($file)) {
        require $file;
    }
});

$di = new Pimple\Container();
$di['dbal'] = new Doctrine\DBAL\Connection(__DIR__ . '/panel.sqlite');
$di['mod_config'] = static fn (string $module): array => json_decode(file_get_contents(__DIR__ . '/settings.json'), true);
$di['mod_service'] = static function (string $module) use ($di): object {
    if ($module === 'order') {
        return new Orders($di);
    }
    $service = new Box\Mod\Servicelicensedesk\Service();
    $service->setDi($di);
    return $service;
};
$di['db'] = new class ($di) {
    public function __construct(private readonly Pimple\Container $di)
    {
    }

    public function getExistingModelById(string $model, int $id, string $message): object
    {
        return $this->di['mod_service']('order')->load($id) ?? throw new FOSSBilling\Exception($message);
    }
};
$di['logger'] = new class {
    public function info(string $message, mixed ...$values): void
    {
        file_put_contents(__DIR__ . '/panel.log', vsprintf($message, $values) . "\n", FILE_APPEND | LOCK_EX);
    }
};

return $di;
