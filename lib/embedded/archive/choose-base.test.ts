import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chooseBase } from "./choose-base.ts";
import { nameBase, pruneLine } from "./folder.ts";
import { listLines, pruneLines } from "./line.ts";

let folder: string;
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "license-desk-lines-"));
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const hour = (number: number) => new Date(Date.UTC(2027, 0, 1, number));

/** A line that was written between two hours, with a base at each of these. */
function addLine(name: string, from: number, until: number, bases: readonly number[]): void {
  const line = join(folder, name);
  for (const part of ["wal", "base"]) mkdirSync(join(line, part), { recursive: true });
  const owner = { system: "1", timeline: "00000001", deployment: name };
  writeFileSync(join(line, "line.json"), JSON.stringify({ ...owner, startedAt: hour(from) }));
  const writer = { writer: "w", place: "here", beat: 1, at: hour(until) };
  writeFileSync(join(line, "writer.json"), JSON.stringify(writer));
  for (const at of bases) writeFileSync(join(line, "base", nameBase(hour(at), "0".repeat(24))), "");
}

async function choose(at: number | null = null, line: string | null = null) {
  const options = { folder, line, at: at === null ? null : hour(at), log: (text: string) => void logged.push(text) };
  const chosen = await chooseBase(options);
  return [chosen.line.name, chosen.base.finishedAt.getUTCHours()];
}

test("the line that was in service at an instant is restored; by default the newest", async () => {
  addLine("original", 1, 9, [2, 5]);
  addLine("rejected", 10, 11, [10]);
  addLine("current", 12, 20, [13, 18]);
  expect(await choose()).toEqual(["current", 18]);
  expect(await choose(14)).toEqual(["current", 13]);
  expect(await choose(11)).toEqual(["rejected", 10]);
  expect(await choose(4)).toEqual(["original", 2]);
  expect(await choose(null, "original")).toEqual(["original", 5]);
  await expect(choose(1)).rejects.toThrow(`The archive in ${folder} begins at 2027-01-01T02:00:00.000Z.`);
  await expect(choose(null, "other")).rejects.toThrow(/has no line other, only original \(.*\), rejected .*, current /);
});

test("of lines that were written at the same time, one has to be named", async () => {
  addLine("original", 1, 9, [2, 5]);
  addLine("rehearsal", 6, 7, [6]);
  await expect(choose()).rejects.toThrow(/must be named by --line: original \(.*\), rehearsal \(.*\)\.$/);
  expect(await choose(5)).toEqual(["original", 5]);
  expect(await choose(null, "original")).toEqual(["original", 5]);
  expect(await choose(null, "rehearsal")).toEqual(["rehearsal", 6]);
});

test("a line has to be named if a newer one was in service, too, but has no copy of the database from before", async () => {
  addLine("original", 1, 20, [2]);
  addLine("resumed", 6, 20, [10]);
  await expect(choose(8)).rejects.toThrow(/must be named by --line: original \(.*\), resumed \(.*\)\.$/);
  expect(await choose(8, "original")).toEqual(["original", 2]);
  await expect(choose(8, "resumed")).rejects.toThrow("begins at 2027-01-01T10:00:00.000Z.");
  expect(await choose(5)).toEqual(["original", 2]);
});

test("a line has to be named for a time when only the copy that its successor begins with was being made", async () => {
  addLine("original", 1, 4, [2]);
  addLine("current", 5, 20, [7]);
  await expect(choose(5)).rejects.toThrow(/must be named by --line/);
  await expect(choose(6)).rejects.toThrow(/must be named by --line/);
  expect(await choose(4)).toEqual(["original", 2]);
  expect(await choose(7)).toEqual(["current", 7]);
});

test("a newer line that has no copy of the database yet is named, because what it has is lost", async () => {
  addLine("original", 1, 4, [2]);
  addLine("started", 5, 6, []);
  expect(await choose()).toEqual(["original", 2]);
  expect(logged).toEqual([expect.stringMatching(/^started \(.*\) has no complete copy of the database/)]);
});

test("a line is deleted once it ended before the days that are kept, and the current one reaches back so far", async () => {
  addLine("old", 1, 4, [2]);
  addLine("parallel", 3, 9, [3]);
  addLine("current", 5, 9, [6]);
  const names = async () => (await listLines(folder)).map(({ name }) => name);
  const current = (await listLines(folder)).find(({ name }) => name === "current");
  if (!current) throw new Error("no line");
  await pruneLines(folder, current, hour(6));
  expect(await names()).toEqual(["old", "parallel", "current"]);
  await pruneLines(folder, current, hour(7));
  expect(await names()).toEqual(["parallel", "current"]);
});

test("day after day, the current line reaches back to what is kept, and then no line from before is left", async () => {
  addLine("ended", 1, 24, [2]);
  addLine("current", 25, 1_000, []);
  const current = (await listLines(folder)).find(({ name }) => name === "current");
  if (!current) throw new Error("no line");
  const left: (readonly [days: number, lines: number])[] = [];
  for (let at = 26; at < 26 + 24 * 10; at += 24) {
    writeFileSync(join(current.folder, "base", nameBase(hour(at), "0".repeat(24))), "");
    const before = hour(at - 24 * 7);
    const [oldest] = await pruneLine(current.folder, before);
    await pruneLines(folder, current, before);
    left.push([(hour(at).getTime() - Number(oldest?.finishedAt)) / 86_400_000, (await listLines(folder)).length]);
  }
  expect(left.map(([days]) => days)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8]);
  expect(left.map(([, lines]) => lines)).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 1, 1]);
});
