import { randomBytes } from "node:crypto";

const ID_BYTES = 12;
const IDS_PER_REFILL = 512;

let pool = Buffer.alloc(0);
let used = 0;

/** `req_` and 96 random bits. Drawn in batches, because single draws are slow. */
export function newRequestId(): string {
  if (used === pool.length) {
    pool = randomBytes(ID_BYTES * IDS_PER_REFILL);
    used = 0;
  }
  used += ID_BYTES;
  return `req_${pool.toString("base64url", used - ID_BYTES, used)}`;
}
