/** Which line of an archive, and which copy of the database in it, a restore begins with. */
import { type Base, listBases } from "./folder.ts";
import { type Line, listLines } from "./line.ts";

export interface ChosenBase {
  readonly line: Line;
  readonly base: Base;
}

/**
 * Chooses the newest line that reaches back to `at`, and its newest base before that.
 * @throws if there is none, or, unless one is named, if another line was written at `at` or after this one had begun
 */
export async function chooseBase(options: {
  readonly folder: string;
  readonly line: string | null;
  readonly at: Date | null;
  readonly log: (line: string) => void;
}): Promise<ChosenBase> {
  const { folder, line: named, at, log } = options;
  const lines = await listLines(folder);
  if (lines.length === 0) throw new Error(`${folder} has no archive.`);
  if (named !== null && !lines.some(({ name }) => name === named)) {
    throw new Error(`The archive in ${folder} has no line ${named}, only ${lines.map(describe).join(", ")}.`);
  }
  const bases = await Promise.all(
    lines
      .filter(({ name }) => named === null || name === named)
      .map(async (line) => ({ line, all: await listBases(line.folder) })),
  );
  const eligible = bases.flatMap(({ line, all }) => {
    const base = all.findLast(({ finishedAt }) => at === null || finishedAt <= at);
    return base ? [{ line, base }] : [];
  });
  const chosen = eligible.at(-1);
  if (!chosen)
    throw noBase(
      folder,
      bases.flatMap(({ all }) => all),
    );
  const candidates = lines.filter(
    (line) =>
      line === chosen.line ||
      (line.startedAt < chosen.line.startedAt && line.writtenAt > chosen.line.startedAt) ||
      (at !== null && line.startedAt <= at && line.writtenAt > at),
  );
  if (named === null && candidates.length > 1) {
    throw new Error(
      `The archive in ${folder} has several lines that may be meant, so one must be named by --line: ` +
        `${candidates.map(describe).join(", ")}.`,
    );
  }
  const empty = bases.find(({ line, all }) => line.startedAt > chosen.line.startedAt && all.length === 0);
  if (empty) log(`${describe(empty.line)} has no complete copy of the database, and cannot be restored.`);
  return chosen;
}

const describe = ({ name, startedAt, writtenAt }: Line) =>
  `${name} (${startedAt.toISOString()} to ${writtenAt.toISOString()})`;

function noBase(folder: string, bases: readonly Base[]): Error {
  const [first] = bases.toSorted((one, other) => one.finishedAt.getTime() - other.finishedAt.getTime());
  return new Error(
    first
      ? `The archive in ${folder} begins at ${first.finishedAt.toISOString()}.`
      : `The archive in ${folder} has no complete copy of the database.`,
  );
}
