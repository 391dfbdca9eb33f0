<?php

declare(strict_types=1);

namespace LicenseDesk;

/** What every failure of this client extends. */
abstract class LicenseDeskException extends \RuntimeException
{
}
