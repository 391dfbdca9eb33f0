import { DomainError } from "#lib/domain/errors.ts";

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads at most 64 KiB (decisions 1.7); of a larger body no more than that is ever in memory.
 * @throws DomainError `body_too_large`, or `body_unreadable` when the caller breaks off.
 */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > MAX_BODY_BYTES) throw tooLarge();
    // The server holds the caller to the declared length.
    return new Uint8Array(await request.arrayBuffer().catch(brokenOff));
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done) break;
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) {
      void reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function brokenOff(cause: unknown): never {
  throw new DomainError("body_unreadable", "The body could not be read.", { cause });
}

function tooLarge(): DomainError {
  return new DomainError("body_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
}
