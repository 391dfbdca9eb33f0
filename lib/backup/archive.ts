/** A backup file: tar, compressed by gzip and, with a passphrase, encrypted by age. Any of their tools opens it. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { extract, type Pack, pack } from "tar-stream";

export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The file is not a whole backup, or the passphrase does not open it. */
export class BackupFileError extends Error {
  override readonly name = "BackupFileError";
}

const OWNER_ONLY = 0o600;
/** Larger than any entry that is written. */
const MAX_ENTRY_BYTES = 64 * 2 ** 20;
const AGE_START = "age-encryption.org/";
const SUMS = "SHA256SUMS";

function addEntry(tar: Pack, { name, bytes }: ArchiveEntry): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: OWNER_ONLY, size: bytes.length }, bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends with the entries' checksums, as `sha256sum -c` reads them. */
async function fill(tar: Pack, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  let sums = "";
  try {
    for await (const entry of entries) {
      sums += `${sha256(entry.bytes)}  ${entry.name}\n`;
      await addEntry(tar, entry);
    }
    await addEntry(tar, { name: SUMS, bytes: Buffer.from(sums) });
    tar.finalize();
  } catch (error) {
    tar.destroy(error as Error);
    throw error;
  }
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function encrypt(content: Readable, passphrase: string | null): Promise<Readable> {
  if (passphrase === null) return content;
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  const sealed = await encrypter.encrypt(Readable.toWeb(content) as globalThis.ReadableStream<Uint8Array>);
  return Readable.fromWeb(sealed as ReadableStream);
}

/** Writes a new file that only its owner can read, and waits until it is on disk. */
export async function writeArchive(
  file: string,
  passphrase: string | null,
  entries: AsyncIterable<ArchiveEntry>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const tar = pack();
  // The pipeline fails as well.
  tar.on("error", () => undefined);
  const gzip = createGzip();
  const hash = createHash("sha256");
  let bytes = 0;
  const write = async () => {
    const content = await encrypt(gzip, passphrase);
    const out = createWriteStream(file, { flags: "wx", mode: OWNER_ONLY, flush: true });
    const count = async function* (source: AsyncIterable<Buffer>) {
      for await (const piece of source) {
        bytes += piece.length;
        hash.update(piece);
        yield piece;
      }
    };
    await Promise.all([pipeline(content, count, out), pipeline(Readable.from(tar), gzip)]);
  };
  const writing = write();
  // A pipeline that fails before it begins leaves its source open.
  writing.catch(() => tar.destroy());
  const results = await Promise.allSettled([writing, fill(tar, entries)]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
  return { bytes, sha256: hash.digest("hex") };
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE_START.length), 0, AGE_START.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function openContent(file: string, passphrase: string | null): Promise<Readable> {
  const start = await readStart(file);
  if (start[0] === 0x1f && start[1] === 0x8b) return createReadStream(file);
  if (start.toString("latin1") !== AGE_START) throw new BackupFileError(`${file} is not a backup of License Desk.`);
  if (passphrase === null) {
    throw new BackupFileError(`${file} is encrypted: give --passphrase-file, or set BACKUP_PASSPHRASE.`);
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const sealed = Readable.toWeb(createReadStream(file)) as globalThis.ReadableStream<Uint8Array>;
  try {
    return Readable.fromWeb((await decrypter.decrypt(sealed)) as ReadableStream);
  } catch {
    throw new BackupFileError(`The passphrase does not open ${file}, or its beginning is damaged.`);
  }
}

/** Reads and checks a file entry by entry. What was read is to be trusted only once the end is reached. @throws BackupFileError */
export async function* readArchive(file: string, passphrase: string | null): AsyncGenerator<ArchiveEntry> {
  const content = await openContent(file, passphrase);
  const entries = extract();
  const reading = pipeline(content, createGunzip(), entries).catch(() => undefined);
  try {
    let sums = "";
    let stated: string | null = null;
    for await (const entry of entries) {
      const { name, size = 0 } = entry.header;
      if (stated !== null || size > MAX_ENTRY_BYTES) throw new Error("it has content that no backup has");
      const pieces: Buffer[] = [];
      for await (const piece of entry) pieces.push(piece as Buffer);
      const bytes = Buffer.concat(pieces);
      if (name === SUMS) stated = bytes.toString();
      else {
        sums += `${sha256(bytes)}  ${name}\n`;
        yield { name, bytes };
      }
    }
    if (stated === null) throw new Error("its end is missing");
    if (stated !== sums) throw new Error("its checksums do not match");
  } catch (error) {
    throw new BackupFileError(`${file} is damaged or incomplete: ${(error as Error).message}.`, { cause: error });
  } finally {
    entries.destroy();
    content.destroy();
    await reading;
  }
}
