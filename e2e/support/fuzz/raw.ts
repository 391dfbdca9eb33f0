import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { type FuzzRequest, toBytes } from "./request.ts";

const PAUSE_MS = 20;
const MAX_PIECES = 4;

/** Bytes that parsers of HTTP give a meaning to. */
const meaning = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  ":",
  " ",
  "\t",
  ",",
  ";",
  "0\r\n\r\n",
  "\r\n\r\n",
  "HTTP/1.1",
  "HTTP/9.9",
  "\x80\xff",
];
const lines = [
  ..."Transfer-Encoding: chunked|Transfer-Encoding: xchunked|Content-Length: 5|Content-Length: -1|Content-Length: 1e3".split(
    "|",
  ),
  ..."Content-Length: 99999999999999999999|Host: a b|Host: |Expect: 100-continue|Expect: x|Connection: upgrade".split(
    "|",
  ),
  ..."Upgrade: h2c|Connection: close|Connection: keep-alive, x|: empty|X\x00Y: 1|Trailer: a|TE: trailers| folded".split(
    "|",
  ),
].map((line) => `\r\n${line}`);

interface Change {
  readonly at: number;
  readonly kind: "flip" | "drop" | "repeat" | "insert" | "line" | "cut";
  readonly length: number;
  readonly bytes: Buffer;
}

const change: fc.Arbitrary<Change> = fc.record({
  // Most of what has a meaning stands at the beginning.
  at: fc.double({ min: 0, max: 1, noNaN: true }).map((part) => part ** 3),
  kind: fc.constantFrom("flip", "drop", "repeat", "insert", "insert", "line", "cut"),
  length: fc.integer({ min: 1, max: 40 }),
  bytes: fc.oneof(
    fc.constantFrom(...meaning).map((text) => Buffer.from(text, "latin1")),
    fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  ),
});

function apply(sent: Buffer, { at, kind, length, bytes }: Change): Buffer {
  const place = Math.floor(at * sent.length);
  const [before, after] = [sent.subarray(0, place), sent.subarray(place)];
  const line = Buffer.from(lines[length % lines.length] ?? "", "latin1");
  const lineEnd = Math.max(0, sent.indexOf("\r\n", place));
  switch (kind) {
    case "flip":
      return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ (1 << (length % 8))]), after.subarray(1)]);
    case "drop":
      return Buffer.concat([before, after.subarray(length)]);
    case "repeat":
      return Buffer.concat([before, after.subarray(0, length), after]);
    case "insert":
      return Buffer.concat([before, bytes, after]);
    case "line":
      return Buffer.concat([sent.subarray(0, lineEnd), line, sent.subarray(lineEnd)]);
    case "cut":
      return before;
    default:
      return kind satisfies never;
  }
}

/** Requests on one connection, changed in their bytes. */
export interface RawExchange {
  readonly pieces: readonly Buffer[];
  /** Many sources, so that none is over its quota. */
  readonly peer: string;
  /** Says that nothing more comes; else the server has to find out. */
  readonly ends: boolean;
}

export function rawExchange(requests: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<RawExchange> {
  return fc
    .record({
      sent: fc.array(requests, { minLength: 1, maxLength: 3 }),
      changes: fc.array(change, { maxLength: 3 }),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: MAX_PIECES - 1 }),
      slow: fc.integer({ min: 0, max: 9 }),
      ends: fc.integer({ min: 0, max: 19 }),
      host: fc.integer({ min: 256, max: 65_279 }),
    })
    .map(({ sent, changes, cuts, slow, ends, host }) => {
      const bytes = changes.reduce(apply, Buffer.concat(sent.map(toBytes)));
      const places = slow > 0 ? [] : cuts.map((part) => Math.floor(part * bytes.length)).toSorted((a, b) => a - b);
      const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
      return { pieces, peer: `127.88.${host >> 8}.${host & 255}`, ends: ends > 0 };
    });
}

/** Sends the pieces, and reads until the connection is closed, or answered where it stays open. @throws if neither is */
export async function exchange(port: number, { pieces, peer, ends }: RawExchange, withinMs: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: peer, noDelay: true });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  // A server that has answered may reset the connection under what is still being sent.
  socket.on("error", () => undefined);
  let received = "";
  const answered = new Promise<void>((resolve) => {
    socket.setEncoding("latin1").on("data", (piece) => {
      received += piece;
      if (!ends) resolve();
    });
  });
  const late = AbortSignal.timeout(withinMs);
  const gaveUp = once(late, "abort").then(() =>
    Promise.reject(new Error(`neither answered nor closed in ${withinMs} ms`)),
  );
  try {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await sleep(PAUSE_MS);
      socket.write(piece);
    }
    if (ends) socket.end();
    await Promise.race([closed, answered, gaveUp]);
    return received;
  } finally {
    socket.destroy();
  }
}
