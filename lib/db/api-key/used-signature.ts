import { defineAny } from "#lib/db/connection/define.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";

/** False if any instance has accepted this key's signature before (contract 3.14). */
export const claimSignature = defineAny("claim_signature")<[apiKeyId: ApiKeyId, signature: Buffer, now: Date]>`
      insert into used_signatures (api_key_id, signature, used_at) values ($1, $2, $3)
      on conflict do nothing returning 1`;
