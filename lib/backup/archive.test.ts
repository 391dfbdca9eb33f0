import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type ArchiveEntry, BackupFileError, readArchive, writeArchive } from "./archive.ts";

const folder = mkdtempSync(join(tmpdir(), "license-desk-archive-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function* entries(): AsyncGenerator<ArchiveEntry> {
  yield { name: "manifest.json", bytes: Buffer.from(randomBytes(40).toString("hex")) };
  yield { name: "tables/wallets/000001", bytes: Buffer.from("1\tUSD\t100\n".repeat(60)) };
  yield { name: "tables/empty/000001", bytes: Buffer.alloc(0) };
}

async function read(file: string): Promise<ArchiveEntry[] | null> {
  const found: ArchiveEntry[] = [];
  try {
    for await (const entry of readArchive(file, null)) found.push(entry);
    return found;
  } catch (error) {
    if (error instanceof BackupFileError) return null;
    throw error;
  }
}

test("whichever bit of a backup is altered, it is refused or reads as it was written", async () => {
  const whole = join(folder, "whole.tar.gz");
  const altered = join(folder, "altered.tar.gz");
  await writeArchive(whole, null, entries());
  const bytes = readFileSync(whole);
  const written = await read(whole);
  expect(written).toHaveLength(3);
  let refused = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(altered, copy);
    const found = await read(altered);
    if (found === null) refused++;
    else expect(found).toEqual(written);
  }
  expect(refused).toBeGreaterThan(bytes.length * 7);
});
