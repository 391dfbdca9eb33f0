<?php

declare(strict_types=1);

/** `url`: your License Desk. */
return ['url' => 'https://licenses.example'];
