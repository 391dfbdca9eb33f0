/** Cap: a timer beyond 24.8 days would fire at once. */
const LONGEST_SECONDS = 86_400;

/** The three forms of a date (RFC 9110, 5.6.7). */
const DATE_FORMS = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/**
 * Seconds to wait, from 0 to a day, by a `Retry-After` of seconds or a date: proxies send either (RFC 9110, 10.2.3).
 * Null if it is neither.
 */
export function parseRetryAfter(value: string): number | null {
  const seconds = /^\d+$/.test(value) ? Number(value) : (parseDate(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_SECONDS, Math.max(0, Math.ceil(seconds)));
}

/** NaN if it is no date. */
function parseDate(text: string): number {
  for (const form of DATE_FORMS) {
    const { day = "", month, year = "", time } = form.exec(text)?.groups ?? {};
    if (day !== "") return Date.parse(`${day.trim()} ${month} ${fullYear(year)} ${time} GMT`);
  }
  return Number.NaN;
}

/** Two digits that would be more than 50 years ahead are of the past. */
function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date().getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
