import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { ChangedBy } from "./audit.ts";
import type { Database } from "./client.ts";

/** Who a session belongs to, and as whom an admin acts in it. */
export interface SessionIdentity {
  readonly sessionId: string;
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: "admin" | "reseller";
  /** Null for an admin. */
  readonly resellerId: ResellerId | null;
  /** The password was made for them, and has to be changed before anything else. */
  readonly mustChangePassword: boolean;
  readonly actingAsId: ResellerId | null;
  readonly actingAsName: string | null;
  readonly actingUntil: Date | null;
}

/** If it still stands: asked on every request. */
export async function findSessionIdentity(db: Database, sessionId: string, now: Date): Promise<SessionIdentity | null> {
  const [row] = await db.query<SessionIdentity>({
    name: "find_session",
    text: `
      select s.id as "sessionId", u.id as "userId", u.email, u.name, u.role, u.reseller_id as "resellerId",
             u.one_time_password_until is not null as "mustChangePassword",
             a.id as "actingAsId", a.name as "actingAsName", case when a.id is not null then s.acting_until end as "actingUntil"
        from sessions s
        join users u on u.id = s.user_id
        left join resellers r on r.id = u.reseller_id
        left join resellers a on a.id = s.acting_as_reseller_id and s.acting_until > $2 and u.role = 'admin'
       where s.id = $1::uuid and s.revoked_at is null and s.expires_at > $2
         and u.disabled_at is null and r.suspended_at is null`,
    values: [sessionId, now],
  });
  return row ?? null;
}

/** Opens one, and keeps when the user was last here. */
export async function insertSession(
  db: Database,
  session: {
    readonly id: string;
    readonly userId: UserId;
    readonly address: string;
    readonly userAgent: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { id, userId, address, userAgent, createdAt, expiresAt } = session;
  await db.query({
    name: "insert_session",
    text: `
      with seen as (update users set last_signed_in_at = $5 where id = $2)
      insert into sessions (id, user_id, address, user_agent, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [id, userId, address, userAgent, createdAt, expiresAt],
  });
}

export interface SessionRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
}

/** Those of a user that still stand, newest first. */
export async function listSessionRows(db: Database, userId: UserId, now: Date, limit: number): Promise<SessionRow[]> {
  return db.query<SessionRow>({
    name: "list_sessions",
    text: `
      select id, created_at as "createdAt", expires_at as "expiresAt", address, user_agent as "userAgent"
        from sessions where user_id = $1 and revoked_at is null and expires_at > $2
       order by created_at desc, id limit $3`,
    values: [userId, now, limit],
  });
}

/** Ends one of the user's own. False: it is none of theirs, or has ended. */
export async function endSessionRow(db: Database, userId: UserId, sessionId: string, now: Date): Promise<boolean> {
  const rows = await db.query({
    name: "end_session",
    text: `
      update sessions set revoked_at = $3 where id::text = $2 and user_id = $1 and revoked_at is null and expires_at > $3
      returning 1`,
    values: [userId, sessionId, now],
  });
  return rows.length > 0;
}

/** From now on an admin's session shows a reseller's dashboard. False: no such reseller, or no session of that admin. */
export async function updateActingAs(
  db: Database,
  sessionId: string,
  change: { readonly userId: UserId; readonly resellerId: ResellerId; readonly until: Date; readonly by: ChangedBy },
): Promise<boolean> {
  const { userId, resellerId, until, by } = change;
  const rows = await db.query({
    name: "act_as",
    text: `
      with changed as (
        update sessions s set acting_as_reseller_id = r.id, acting_until = $4
          from users u, resellers r
         where s.id::text = $1 and s.user_id = $2 and u.id = s.user_id and u.role = 'admin' and s.revoked_at is null and r.id = $3
        returning r.id, r.name
      )
      select write_audit_entry($5, 'session.act_as', id, 'reseller:' || id, '', jsonb_build_object('until', $4::timestamptz), $6, $7, name)
        from changed`,
    values: [sessionId, userId, resellerId, until, by.actor, by.now, by.requestId],
  });
  return rows.length > 0;
}

/** `endSession`: signs out as well. Acting that runs ends, with its audit entry; twice changes nothing. */
export async function stopActingRow(
  db: Database,
  sessionId: string,
  stop: { readonly endSession: boolean; readonly requestId: string; readonly now: Date },
): Promise<void> {
  await db.query({
    name: "stop_acting",
    text: `
      with old as (
        select s.id, s.user_id, s.acting_until, r.id as reseller_id, r.name
          from sessions s left join resellers r on r.id = s.acting_as_reseller_id
         where s.id = $1::uuid and s.revoked_at is null for update of s
      ), changed as (
        update sessions s set acting_as_reseller_id = null, acting_until = null, revoked_at = case when $2 then $3::timestamptz end
          from old where s.id = old.id returning 1
      )
      select write_audit_entry('user:' || old.user_id, 'session.stop_acting', old.reseller_id, 'reseller:' || old.reseller_id, '', '{}',
                               $3, $4, old.name)
        from old, changed where old.acting_until > $3`,
    values: [sessionId, stop.endSession, stop.now, stop.requestId],
  });
}
