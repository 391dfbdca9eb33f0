const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** `User-Agent` → "Firefox on Linux": enough to know one's own browsers apart. The first that fits counts. */
export function browserText(userAgent: string): string {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent.includes(mark))?.[1] ?? null;
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === null && system === null) return "Unknown browser";
  return [browser ?? "Browser", system].filter(Boolean).join(" on ");
}
