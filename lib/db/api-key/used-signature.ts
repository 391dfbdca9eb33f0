import type { Database } from "#lib/db/connection/client.ts";
import { defineAny } from "#lib/db/connection/define.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";

/** False if any instance has accepted this key's signature before (contract 3.14). */
export const claimSignature = defineAny("claim_signature")<[apiKeyId: ApiKeyId, signature: Buffer, now: Date]>`
      insert into used_signatures (api_key_id, signature, used_at) values ($1, $2, $3)
      on conflict do nothing returning 1`;

const deleteUsedSignaturesStatement = statement("delete_used_signatures")`
      delete from used_signatures u using (
          select api_key_id, signature from used_signatures where used_at < $1
           order by used_at limit $2 for update skip locked
        ) old
       where u.api_key_id = old.api_key_id and u.signature = old.signature returning 1`;

export async function deleteUsedSignatures(db: Database, usedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query(deleteUsedSignaturesStatement, [usedBefore, limit]);
  return rows.length;
}
