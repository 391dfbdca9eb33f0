<?php

declare(strict_types=1);

require_once __DIR__ . '/../client/autoload.php';
foreach (['Store', 'Desk', 'Service', 'Commands', 'Completion'] as $class) {
    require_once __DIR__ . "/$class.php";
}
