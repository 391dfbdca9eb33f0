import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { extract, type Pack, pack } from "tar-stream";
import { nullIfAbsent } from "#lib/embedded/absent.ts";
import { type Lsn, parseLsn } from "./segment.ts";

/** Folders whose files belong to the running server; they are created empty. */
const EMPTIED = new Set([
  ...["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"],
]);
const SKIPPED = /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|recovery\.signal|backup_label.*)$/;
const PIECE_BYTES = 256 * 1024;

/** The passwords of the cluster, among its files. */
export const STATE_ENTRY = "license-desk.json";

/**
 * Copies a running cluster's files. The copy is of one instant once the log from before the start to the returned
 * position has been replayed on it.
 */
export async function writeBase(options: {
  readonly client: pg.Client;
  readonly clusterDir: string;
  readonly file: string;
  /** JSON, as STATE_ENTRY. */
  readonly state: string;
  readonly stopping: AbortSignal;
}): Promise<Lsn> {
  const { client, clusterDir, file, state, stopping } = options;
  await client.query("select pg_backup_start('license-desk', true)");
  const tar = pack();
  // The pipeline fails as well.
  tar.on("error", () => undefined);
  const fill = async () => {
    try {
      await addText(tar, STATE_ENTRY, state);
      await addFolder({ tar, root: clusterDir, stopping }, "");
      const { rows } = await client.query<{ label: string; lsn: string }>(
        "select labelfile as label, lsn::text as lsn from pg_backup_stop(false)",
      );
      await addText(tar, "backup_label", String(rows[0]?.label));
      tar.finalize();
      return parseLsn(String(rows[0]?.lsn));
    } catch (error) {
      tar.destroy(error as Error);
      throw error;
    }
  };
  const out = createWriteStream(file, { mode: 0o600, flush: true });
  const write = pipeline(Readable.from(tar), createGzip(), out);
  // A pipeline that fails before it begins leaves its source open.
  write.catch(() => tar.destroy());
  const [filled, written] = await Promise.allSettled([fill(), write]);
  if (written.status === "rejected") throw written.reason;
  if (filled.status === "rejected") throw filled.reason;
  return filled.value;
}

function addText(tar: Pack, name: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: 0o600 }, text, (error) => (error ? reject(error) : resolve()));
  });
}

interface Copying {
  readonly tar: Pack;
  readonly root: string;
  readonly stopping: AbortSignal;
}

async function addFolder(copying: Copying, path: string): Promise<void> {
  const { tar, root, stopping } = copying;
  for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
    const name = path === "" ? entry.name : `${path}/${entry.name}`;
    if (SKIPPED.test(entry.name)) continue;
    stopping.throwIfAborted();
    if (entry.isDirectory()) {
      tar.entry({ name, type: "directory", mode: 0o700 });
      if (!EMPTIED.has(name)) await addFolder(copying, name);
    } else if (entry.isFile()) await addFile(copying, name);
  }
}

/** A file of the size that it has now: it may grow, shrink or vanish meanwhile, which the log repeats. */
async function addFile({ tar, root, stopping }: Copying, name: string): Promise<void> {
  const handle = await open(join(root, name)).catch(nullIfAbsent);
  if (handle === null) return;
  try {
    const { size } = await handle.stat();
    const added = Promise.withResolvers<void>();
    const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? added.reject(error) : added.resolve()));
    // It fails with the archive, which has the reason.
    entry.on("error", () => undefined);
    added.promise.catch(() => undefined);
    for (let offset = 0; offset < size && !entry.destroyed; ) {
      stopping.throwIfAborted();
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - offset));
      await handle.read(piece, 0, piece.length, offset);
      offset += piece.length;
      if (!entry.write(piece) && !entry.destroyed) await Promise.race([once(entry, "drain"), once(entry, "close")]);
    }
    entry.end(null);
    await added.promise;
  } finally {
    await handle.close();
  }
}

/** What a base has, in order. Folders have no content. */
export async function* readBase(file: string): AsyncGenerator<{ name: string; isFolder: boolean; content: Readable }> {
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries).catch(() => undefined);
  try {
    for await (const entry of entries) {
      yield {
        name: entry.header.name.replace(/\/$/, ""),
        isFolder: entry.header.type === "directory",
        content: entry as unknown as Readable,
      };
      entry.resume();
    }
  } finally {
    entries.destroy();
    await reading;
  }
}
