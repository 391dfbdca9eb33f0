"use client";
import { toLocalPath } from "#lib/domain/local-path.ts";
import type { PaletteItem } from "./palette.ts";

const STORAGE_KEY = "palette-recent";
const MAX_RECENT = 5;

type RecentItem = Pick<PaletteItem, "href" | "label">;

/** What was chosen last in this browser by this user, newest first; nothing when what is stored makes no sense. */
export function readRecent(owner: string): readonly RecentItem[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(`${STORAGE_KEY}:${owner}`) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecentItem).slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

export function rememberRecent(owner: string, { href, label }: PaletteItem): void {
  const others = readRecent(owner).filter((item) => item.href !== href);
  const recent = [{ href, label }, ...others].slice(0, MAX_RECENT);
  window.localStorage.setItem(`${STORAGE_KEY}:${owner}`, JSON.stringify(recent));
}

/** Of everybody who has used this browser. */
export function forgetRecent(): void {
  const keys = Object.keys(window.localStorage).filter((key) => key.startsWith(`${STORAGE_KEY}:`));
  for (const key of keys) window.localStorage.removeItem(key);
}

/** Storage can hold anything: only places of this site are gone to. */
function isRecentItem(value: unknown): value is RecentItem {
  if (typeof value !== "object" || value === null || !("href" in value) || !("label" in value)) return false;
  return typeof value.label === "string" && typeof value.href === "string" && toLocalPath(value.href) !== null;
}
