import { createHash } from "node:crypto";
import { changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, bytes, int, list, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineList } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, safeModeStatement, statement } from "#lib/db/connection/statement.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { type FactorRemoval, hashRecoveryCode, type OwnFactorChange } from "./second-factor.ts";

const passkeyRow = { id: text, name: text, createdAt: timestamp, lastUsedAt: nullable(timestamp) };
export type PasskeyRow = RowOf<typeof passkeyRow>;

export const listPasskeyRows = defineList("list_passkeys", passkeyRow)<[userId: UserId]>`
      select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
        from passkeys where user_id = $1 order by created_at, id`;

const addPasskey = statement("add_passkey", { newCodes: int })`
      with changed as (
        insert into passkeys (id, user_id, name, public_key, counter, transports, created_at)
        select $3, $1, $4, $5, $6, $7::text[], $8 where user_has_room('passkeys', $1, $9, $8)
        on conflict (id) do nothing returning user_id, name
      )
      select settle_recovery_codes(u.id, $10::bytea[], false) as "newCodes", end_sessions(u.id, $2, $8),
             write_audit_entry($11, 'user.add_factor', u.reseller_id, 'user:' || u.id, '',
               jsonb_build_object('factor', 'passkey', 'name', c.name), $8, $12, u.name)
        from changed c join users u on u.id = c.user_id`;

export interface NewPasskey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The most that a user may have. */
  readonly most: number;
  /** Stored if the user has none. */
  readonly recoveryCodes: readonly string[];
}

/** Whether the recovery codes are new; null: not added, because it exists, or there are too many. */
export async function insertPasskey(
  db: Database,
  userId: UserId,
  passkey: NewPasskey,
  { sessionId, by }: OwnFactorChange,
): Promise<{ readonly hasNewCodes: boolean } | null> {
  const { id, name, publicKey, counter, transports, most } = passkey;
  const hashes = passkey.recoveryCodes.map((code) => hashRecoveryCode(userId, code));
  const key = [userId, sessionId, id, name, publicKey, counter, transports, by.now, most];
  const row = await findRow(db, addPasskey, [...key, hashes, by.actor, by.requestId]);
  return row && { hasNewCodes: row.newCodes > 0 };
}

/** With the recovery codes, if it was the last factor. False: there is no such passkey of the user, or it is needed. */
export const deletePasskey = defineAny("remove_passkey").values(
  (userId: UserId, passkeyId: string, { sessionId, by, adminsNeedFactor = false }: FactorRemoval) => {
    return [userId, sessionId, passkeyId, ...changeValues(by), adminsNeedFactor];
  },
)`
      with changed as (
        delete from passkeys where user_id = $1 and id = $3 and may_lose_factor($1, $7) returning user_id, name
      )
      select settle_recovery_codes(u.id, '{}', false), end_sessions(u.id, $2, $5),
             write_audit_entry($4, 'user.remove_factor', u.reseller_id, 'user:' || u.id, '',
               jsonb_build_object('factor', 'passkey', 'name', c.name), $5, $6, u.name)
        from changed c join users u on u.id = c.user_id`;

const passkeyOwner = {
  passkeyId: text,
  userId: as<UserId>(int),
  email: text,
  name: text,
  publicKey: bytes,
  transports: list(text),
  /** Neither disabled nor suspended. */
  maySignIn: boolean,
};
export type PasskeyOwner = RowOf<typeof passkeyOwner>;

export const findPasskeyOwner = defineFind("find_passkey", passkeyOwner)<[passkeyId: string]>`
      select p.id as "passkeyId", u.id as "userId", u.email, u.name, p.public_key as "publicKey", p.transports,
             u.disabled_at is null and r.suspended_at is null as "maySignIn"
        from passkeys p join users u on u.id = p.user_id left join resellers r on r.id = u.reseller_id
       where p.id = $1`;

/** Stores the authenticator's counter. False: it has not grown, so the passkey may have been copied. */
export const advancePasskey = defineAny("use_passkey", safeModeStatement)<[passkeyId: string, counter: number]>`
      update passkeys set counter = $2, last_used_at = clock_timestamp()
       where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`;

/** Accepts each challenge once. `end`: when it expires anyway. */
export const takeChallenge = defineAny("use_challenge", safeModeStatement).values((challenge: string, end: Date) => {
  const hash = createHash("sha256").update(challenge).digest();
  return [hash, end];
})`
      insert into used_challenges (hash, expires_at) values ($1, $2) on conflict do nothing returning 1`;
