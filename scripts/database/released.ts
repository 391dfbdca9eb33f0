/** Migrations that released versions have: databases that applied them reject any other text. */
import type { MigrationFile } from "#lib/db/schema/migration-files.ts";

/** In prisma/migrations. */
export const RELEASED_FILE = "released.txt";

/** A line for each, with its checksum. */
export function listReleased(files: readonly MigrationFile[]): string {
  return files.map(({ name, checksum }) => `${checksum} ${name}\n`).join("");
}

/** @returns one line for each released migration that is not as it was, and for each new one that sorts before one */
export function findChangedReleases(released: string, files: readonly MigrationFile[]): string[] {
  const checksums = new Map(released.split("\n").flatMap((line) => (line === "" ? [] : [entryOf(line)])));
  const last = [...checksums.keys()].at(-1) ?? "";
  const changed = [...checksums].flatMap(([name, checksum]) => {
    const file = files.find((other) => other.name === name);
    if (file === undefined) return [`${name} is released: databases that applied it would not start without it.`];
    return file.checksum === checksum ? [] : [`${name} is released: undo the edit, and write a further migration.`];
  });
  const early = files.filter(({ name }) => !checksums.has(name) && name < last);
  return [
    ...changed,
    ...early.map(({ name }) => `${name} sorts before ${last}, which is released: give it a later time.`),
  ];
}

function entryOf(line: string): [name: string, checksum: string] {
  const [checksum = "", name = ""] = line.split(" ");
  return [name, checksum];
}
