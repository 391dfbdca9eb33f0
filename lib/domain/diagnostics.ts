const BYTES_PER_MB = 1024 ** 2;
const BYTES_PER_GB = 1024 ** 3;
const SECONDS_PER_HOUR = 3_600;
const SECONDS_PER_DAY = 86_400;

/** Whole gigabytes (1024³), or megabytes below one: `16GB`, `512MB` (contract 2.5). */
export function formatSize(bytes: number): string {
  return bytes >= BYTES_PER_GB
    ? `${Math.floor(bytes / BYTES_PER_GB)}GB`
    : `${Math.max(0, Math.floor(bytes / BYTES_PER_MB))}MB`;
}

/** Whole days, or hours below one: `12 days`, `5 hours` (contract 2.5). */
export function formatUptime(seconds: number): string {
  return seconds >= SECONDS_PER_DAY
    ? `${Math.floor(seconds / SECONDS_PER_DAY)} days`
    : `${Math.floor(seconds / SECONDS_PER_HOUR)} hours`;
}

const size = /^(0|[1-9]\d{0,8})(MB|GB)$/;
const uptime = /^(0|[1-9]\d{0,8}) (days|hours)$/;

export function isSize(text: string): boolean {
  return size.test(text);
}

export function isUptime(text: string): boolean {
  return uptime.test(text);
}

/** Whole megabytes of a size that `isSize` accepts. */
export function parseSizeMb(text: string): number {
  const amount = Number.parseInt(text, 10);
  return text.endsWith("GB") ? amount * 1024 : amount;
}
