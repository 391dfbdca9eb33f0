import { DomainError } from "#lib/domain/errors.ts";

export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads at most `maxBytes`, by default 64 KiB (contract 1.7), and never keeps more in memory.
 * @throws DomainError `body_too_large`, or `body_unreadable` if the caller disconnects
 */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
    // The server enforces the declared length.
    return new Uint8Array(await request.arrayBuffer().catch(bodyAborted));
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(bodyAborted);
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      void reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function bodyAborted(cause: unknown): never {
  throw new DomainError("body_unreadable", "The body could not be read to its end. Send it again.", { cause });
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError("body_too_large", `The body is too large. Send at most ${maxBytes} bytes.`);
}

/** True for a compressed body, which is not supported (contract 1.7). */
export function isEncoded(contentEncoding: string | null | undefined): boolean {
  return Boolean(contentEncoding) && contentEncoding?.toLowerCase() !== "identity";
}
