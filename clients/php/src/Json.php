<?php

declare(strict_types=1);

namespace LicenseDesk;

/** JSON whose amounts of money stay the decimal text that was sent: `14.5` and `71` become "14.5" and "71". */
final class Json
{
    public const MONEY_FIELDS = [
        'amount', 'balance', 'balance_after', 'missing', 'previous_price', 'price', 'price_per_core', 'setup_fee', 'threshold',
    ];

    /** @return array<string, mixed>|null null unless it is a JSON object */
    public static function decodeObject(string $text): ?array
    {
        // A quote within a string is escaped, so a bare name in quotes before a colon is a field.
        $fields = implode('|', self::MONEY_FIELDS);
        $quoted = preg_replace('/("(?:' . $fields . ')"\s*:\s*)(-?[0-9][0-9.eE+-]*)/', '$1"$2"', $text);
        $value = json_decode($quoted ?? '', true);
        return is_array($value) && str_starts_with(ltrim($text), '{') ? $value : null;
    }
}
