<?php

declare(strict_types=1);

namespace LicenseDesk;

/** The header `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
final class RetryAfter
{
    /** Longer waits are cut to a day. */
    private const LONGEST_SECONDS = 86400;
    /** The three forms of a date (RFC 9110, 5.6.7). */
    private const DATE_FORMS = [
        '/^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/D',
        '/^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/D',
        '/^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/D',
    ];

    /** Seconds to wait, from 0 to a day; null if it is neither. */
    public static function parse(string $value): ?int
    {
        $date = self::date($value);
        $seconds = preg_match('/^\d+$/D', $value) === 1 ? (float) $value : ($date === null ? null : $date - time());
        return $seconds === null ? null : (int) min(self::LONGEST_SECONDS, max(0, $seconds));
    }

    private static function date(string $text): ?int
    {
        foreach (self::DATE_FORMS as $form) {
            if (preg_match($form, $text, $parts) === 1) {
                $date = strtotime(trim($parts['day']) . " $parts[month] " . self::fullYear($parts['year']) . " $parts[time] GMT");
                return $date === false ? null : $date;
            }
        }
        return null;
    }

    /** Two digits that would be more than 50 years ahead are of the past. */
    private static function fullYear(string $digits): int
    {
        if (strlen($digits) === 4) {
            return (int) $digits;
        }
        $thisYear = (int) gmdate('Y');
        $year = $thisYear - $thisYear % 100 + (int) $digits;
        return $year > $thisYear + 50 ? $year - 100 : $year;
    }
}
