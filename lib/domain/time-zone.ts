/** V8 lists cities by their former names. */
const renamed = new Map([
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Europe/Kiev", "Europe/Kyiv"],
]);

const listed = Intl.supportedValuesOf("timeZone").map((zone) => renamed.get(zone) ?? zone);

/** Names of the IANA database, such as `Europe/Berlin`. */
export const timeZones: readonly string[] = [...new Set(["UTC", ...listed.sort()])];

export function isTimeZone(name: string): boolean {
  return timeZones.includes(name);
}
