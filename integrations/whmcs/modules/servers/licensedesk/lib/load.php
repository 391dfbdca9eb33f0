<?php

declare(strict_types=1);

require_once __DIR__ . '/../client/autoload.php';
require_once __DIR__ . '/../common/autoload.php';
foreach (['Store', 'Server', 'Service', 'Completion'] as $class) {
    require_once __DIR__ . "/$class.php";
}
