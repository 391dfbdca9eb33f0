<?php

declare(strict_types=1);

namespace LicenseDesk;

/** A request that License Desk did not send, or sent too long ago. */
final class InvalidWebhookException extends LicenseDeskException
{
}
