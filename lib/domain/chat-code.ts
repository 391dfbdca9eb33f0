import { createHmac, timingSafeEqual } from "node:crypto";
import type { EventId } from "./ids.ts";
import { createReadableSecret } from "./readable-secret.ts";
import type { SealingKey } from "./sealed-secret.ts";

const GROUPS = 2;

/** The code of one challenge, such as `k7mfa-2qpxz`: 49 bits. Derived, so nothing that is stored or listed has it. */
export function createChatCode(challenge: EventId, key: SealingKey): string {
  let block = 0;
  return createReadableSecret(GROUPS, (count) => {
    block += 1;
    return digest(`webhook code:${challenge}:${block}`, key).subarray(0, count);
  });
}

/** Ignores case, spaces and hyphens. */
export function isChatCode(typed: string, challenge: EventId, key: SealingKey): boolean {
  const strip = (code: string) => digest(code.toLowerCase().replaceAll(/[\s-]/g, ""), key);
  return timingSafeEqual(strip(typed), strip(createChatCode(challenge, key)));
}

function digest(text: string, key: SealingKey): Buffer {
  return createHmac("sha256", key.bytes).update(text).digest();
}
