import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { chown, link, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepPidFile } from "./postmaster-pid.ts";

vi.mock("node:fs/promises", { spy: true });

const CONTENT = "4711\n/var/lib/postgresql\n";
const POSTGRES = 65_534;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postmaster-pid-"));
  file = join(folder, "postmaster.pid");
  writeFileSync(file, CONTENT, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a deleted file is restored with its content and mode, and its owner before PostgreSQL sees it", async () => {
  const { uid, gid } = statSync(file);
  const keep = keepPidFile(folder);
  rmSync(file);
  await keep();
  expect(readFileSync(file, "utf8")).toBe(CONTENT);
  expect(statSync(file)).toMatchObject({ uid, gid, mode: 0o100_600 });
  expect(vi.mocked(chown).mock.lastCall?.slice(1)).toEqual([uid, gid]);
  const [owned = 0] = vi.mocked(chown).mock.invocationCallOrder;
  expect(vi.mocked(link).mock.invocationCallOrder[0]).toBeGreaterThan(owned);
  expect(readdirSync(folder)).toEqual(["postmaster.pid"]);
});

test.skipIf(process.getuid?.() !== 0)("a deleted file is restored for the user that PostgreSQL runs as", async () => {
  await chown(file, POSTGRES, POSTGRES);
  const keep = keepPidFile(folder);
  rmSync(file);
  await keep();
  expect(statSync(file)).toMatchObject({ uid: POSTGRES, gid: POSTGRES, mode: 0o100_600 });
});

test("a file that could be written only in part is not restored: PostgreSQL would read another process id", async () => {
  const keep = keepPidFile(folder);
  rmSync(file);
  vi.mocked(writeFile).mockImplementationOnce(async (path) => {
    writeFileSync(String(path), CONTENT.slice(0, 2));
    throw new Error("ENOSPC");
  });
  await expect(keep()).rejects.toThrow("ENOSPC");
  expect(readdirSync(folder)).toEqual([]);
  await keep();
  expect(readFileSync(file, "utf8")).toBe(CONTENT);
});

test("a file that another server wrote meanwhile stays as it is", async () => {
  const keep = keepPidFile(folder);
  rmSync(file);
  vi.mocked(chown).mockImplementationOnce(async () => writeFileSync(file, "1\n"));
  await keep();
  expect(readFileSync(file, "utf8")).toBe("1\n");
  await keep();
  expect(readFileSync(file, "utf8")).toBe("1\n");
  expect(readdirSync(folder)).toEqual(["postmaster.pid"]);
});
