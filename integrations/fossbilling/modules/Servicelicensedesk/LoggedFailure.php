<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use FOSSBilling\InformationException;

/** A failure that the module has logged: nobody who catches it logs it again. */
final class LoggedFailure extends InformationException
{
}
