import type pg from "pg";
import { type ConnectionOptions, withConnection } from "#lib/db/connection/with-connection.ts";
import type { DeploymentRecord } from "#lib/domain/deployment.ts";

/** The identity that an empty database gets. */
export type DeploymentClaim = Pick<DeploymentRecord, "deploymentId" | "fingerprints">;

export interface FoundDeployment {
  readonly record: DeploymentRecord;
  /** The database's current place. */
  readonly place: string;
  /** When it was created or last resumed. */
  readonly resumedAt: Date;
}

const CONNECT_TIMEOUT_MS = 10_000;

interface Row {
  readonly deployment_id: string;
  readonly place: string;
  readonly resumed_at: Date;
  readonly pepper_fingerprint: string;
  readonly auth_fingerprint: string;
  readonly encryption_fingerprint: string;
}

/** The system identifier changes with a dump and restore, the oid with a copy on the same server. */
const currentPlace = `(select system_identifier from pg_control_system()) || '/' ||
                   (select oid from pg_database where datname = current_database())`;

function recordOf(row: Row): DeploymentRecord {
  return {
    deploymentId: row.deployment_id,
    place: row.place,
    fingerprints: {
      API_KEY_PEPPER: row.pepper_fingerprint,
      NEXTAUTH_SECRET: row.auth_fingerprint,
      ENCRYPTION_KEY: row.encryption_fingerprint,
    },
  };
}

/**
 * Reads the deployment that the database belongs to, and its place. Claims an empty database. If two processes start on
 * one, the first claims it and both read its claim.
 */
export async function readDeployment(databaseUrl: string, claim: DeploymentClaim): Promise<FoundDeployment> {
  return withClient(databaseUrl, async (client) => {
    const { API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY } = claim.fingerprints;
    const known = await client.query<Row>("select * from deployment");
    if (known.rows.length === 0) {
      await client.query(
        `insert into deployment (single, deployment_id, place, pepper_fingerprint, auth_fingerprint, encryption_fingerprint, resumed_at, timeline)
         values (true, $1, ${currentPlace}, $2, $3, $4, clock_timestamp(), current_timeline()) on conflict do nothing`,
        [claim.deploymentId, API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY],
      );
    }
    const found = await selectDeployment(client);
    if (!found) throw new Error("The database does not say which deployment it belongs to.");
    return found;
  });
}

/** Like `readDeployment`, but returns null for an unclaimed database. */
export async function findDeployment(databaseUrl: string): Promise<FoundDeployment | null> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query("select from pg_tables where tablename = 'deployment'");
    return rows.length === 0 ? null : selectDeployment(client);
  });
}

async function selectDeployment(client: pg.Client): Promise<FoundDeployment | null> {
  const { rows } = await client.query<Row & { here: string }>(`select d.*, ${currentPlace} as here from deployment d`);
  const [row] = rows;
  return row ? { record: recordOf(row), place: row.here, resumedAt: row.resumed_at } : null;
}

/** What gives access and may have been revoked in the original since, also what a sign-in stores at the moment. */
const endAccess = `
  lock table sessions, pending_sign_ins in share row exclusive mode;
  update sessions set revoked_at = clock_timestamp() where revoked_at is null;
  delete from access_links; delete from pending_sign_ins; delete from email_changes;
  update mails set secret = null, owner_id = null,
         state = case when state = 'pending' then 'failed' else state end,
         error = case when state = 'pending' then 'Not sent: the database was restored.' else error end
   where secret is not null`;

/** What the original has delivered since is unknown. */
const forgetFailures = "update webhook_endpoints set first_failed_at = null where first_failed_at is not null";

/**
 * Assigns the database at its current place to a deployment, ends all sessions and links, and begins the five days
 * after which a failing endpoint is disabled again. The next process to start skips ids and queues comparisons.
 */
export async function claimDeployment(databaseUrl: string, deploymentId: string): Promise<void> {
  await withClient(
    databaseUrl,
    async (client) => {
      await client.query("begin");
      await client.query(
        `update deployment set deployment_id = $1, place = ${currentPlace}, resumed_at = clock_timestamp(), timeline = 0`,
        [deploymentId],
      );
      await client.query(endAccess);
      await client.query(forgetFailures);
      await client.query("commit");
    },
    { silentForMs: null },
  );
}

export async function storeFingerprints(
  databaseUrl: string,
  fingerprints: DeploymentRecord["fingerprints"],
): Promise<void> {
  const { API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY } = fingerprints;
  await withClient(databaseUrl, async (client) => {
    await client.query(
      "update deployment set pepper_fingerprint = $1, auth_fingerprint = $2, encryption_fingerprint = $3",
      [API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY],
    );
  });
}

function withClient<Result>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<Result>,
  options?: Pick<ConnectionOptions, "silentForMs">,
): Promise<Result> {
  const own = { name: "license-desk deployment", connectWithinMs: CONNECT_TIMEOUT_MS };
  return withConnection(databaseUrl, use, { ...own, ...options });
}
