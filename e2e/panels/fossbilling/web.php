<?php

declare(strict_types=1);

$di = require __DIR__ . '/init.php';
$controller = new Box\Mod\Servicelicensedesk\Controller\Client();
$controller->setDi($di);
$app = new Box_App();
$controller->register($app);
[$class, $method] = $app->posts[$_SERVER['REQUEST_URI']] ?? [null, null];
$response = $class === $controller::class && $_SERVER['REQUEST_METHOD'] === 'POST' ? $controller->$method($app) : null;
http_response_code($response?->status ?? 404);
echo $response?->content;
