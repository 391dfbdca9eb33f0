/** V8 lists cities by their former names. */
const renamed = new Map([
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Europe/Kiev", "Europe/Kyiv"],
]);

const nameOf = (zone: string) => renamed.get(zone) ?? zone;

/** Names of the IANA database, such as `Europe/Berlin`. */
export function listTimeZones(): readonly string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone").map(nameOf).sort()])];
}

export function isTimeZone(name: string): boolean {
  return listTimeZones().includes(name);
}

/** Of this browser, or of this server. */
export function systemTimeZone(): string {
  return nameOf(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
