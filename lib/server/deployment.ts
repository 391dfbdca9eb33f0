import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { claimDeployment, findDeployment, readDeployment, storeFingerprints } from "#lib/db/deployment/deployment.ts";
import {
  assessDeployment,
  type DeploymentVerdict,
  fingerprintSecret,
  type SecretFingerprints,
  type SecretName,
} from "#lib/domain/deployment.ts";
import type { Secrets } from "#lib/embedded/data-dir.ts";
import { readDeploymentFile, writeDeploymentFile } from "#lib/embedded/deployment-file.ts";

export interface DeploymentOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** DEPLOYMENT_ID; takes precedence over the file. */
  readonly configuredId: string | undefined;
  readonly secrets: Secrets;
}

function fingerprintSecrets({ apiKeyPepper, authSecret, encryptionKey }: Secrets): SecretFingerprints {
  return {
    API_KEY_PEPPER: fingerprintSecret(apiKeyPepper),
    NEXTAUTH_SECRET: fingerprintSecret(authSecret),
    ENCRYPTION_KEY: fingerprintSecret(encryptionKey),
  };
}

/**
 * Compares the database with this machine. A new database becomes this machine's deployment.
 * @throws Error if the database was used with other secrets
 */
export async function checkDeployment(options: DeploymentOptions): Promise<DeploymentStatus> {
  const { dataDir, configuredId } = options;
  const hadId = configuredId !== undefined || readDeploymentFile(dataDir) !== null;
  const verdict = await judge(options);
  if (verdict.kind === "own" || hadId) return verdict;
  // An instance that shares DATA_DIR may just have created the deployment; it writes the file after the row.
  for (let waitedMs = 0; readDeploymentFile(dataDir) === null; waitedMs += FILE_POLL_MS) {
    if (waitedMs >= FILE_WAIT_MS) return verdict;
    await sleep(FILE_POLL_MS);
  }
  return judge(options);
}

const FILE_WAIT_MS = 2_000;
const FILE_POLL_MS = 50;

type DeploymentStatus = Exclude<DeploymentVerdict, { kind: "foreign_secrets" }>;

async function judge({ databaseUrl, dataDir, configuredId, secrets }: DeploymentOptions): Promise<DeploymentStatus> {
  const knownId = configuredId ?? readDeploymentFile(dataDir);
  const newId = randomUUID();
  const claim = { deploymentId: knownId ?? newId, fingerprints: fingerprintSecrets(secrets) };
  const { record, place } = await readDeployment(databaseUrl, claim);
  const created = knownId === null && record.deploymentId === newId;
  if (created) writeDeploymentFile(dataDir, newId);
  const verdict = assessDeployment(record, { ...claim, deploymentId: created ? newId : knownId, place });
  if (verdict.kind === "foreign_secrets") throw new Error(foreignSecrets(verdict.names));
  return verdict;
}

function foreignSecrets(names: readonly string[]): string {
  return (
    `${names.join(", ")}: not what this database was used with, so its API keys, sessions or stored secrets would be ` +
    "invalid. Restore secrets.json or the variables from a backup. If they are lost, " +
    '"npm run -s admin -- deployment accept-secrets" stores the new ones.'
  );
}

/**
 * Returns why a command must not run on a copy, or null. A machine without an id passes, because an operator runs
 * commands deliberately; one with another id, or a database on another server, does not.
 */
export async function findCopyReason(options: {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly configuredId: string | undefined;
}): Promise<string | null> {
  const found = await findDeployment(options.databaseUrl);
  if (!found) return null;
  const { record, place } = found;
  const deploymentId = options.configuredId ?? readDeploymentFile(options.dataDir) ?? record.deploymentId;
  const verdict = assessDeployment(record, { deploymentId, place, fingerprints: record.fingerprints });
  return verdict.kind === "copy" ? verdict.reason : null;
}

/**
 * Like `checkDeployment`, but changes nothing; null for a database that was never started on.
 * @param options.secrets null: they are not known here, so they are not compared
 */
export async function judgeDeployment(
  options: Omit<DeploymentOptions, "secrets"> & { readonly secrets: Secrets | null },
): Promise<DeploymentVerdict | null> {
  const found = await findDeployment(options.databaseUrl);
  if (!found) return null;
  const { record, place } = found;
  const fingerprints = options.secrets ? fingerprintSecrets(options.secrets) : record.fingerprints;
  const deploymentId = options.configuredId ?? readDeploymentFile(options.dataDir);
  return assessDeployment(record, { deploymentId, place, fingerprints });
}

/**
 * Changes nothing, also if the database has still to be migrated.
 * @throws Error if it was used with other secrets
 */
export async function requireOwnSecrets(options: DeploymentOptions): Promise<void> {
  const verdict = await judgeDeployment(options);
  if (verdict?.kind === "foreign_secrets") throw new Error(foreignSecrets(verdict.names));
}

/**
 * For a command, which may lack some of the secrets.
 * @throws Error if one that it has is not the database's
 */
export async function requireServersSecrets(
  databaseUrl: string,
  given: Readonly<Partial<Record<SecretName, string | undefined>>>,
): Promise<void> {
  const found = await findDeployment(databaseUrl);
  if (!found) return;
  const { fingerprints } = found.record;
  const foreign = Object.entries(given).flatMap(([name, secret]) =>
    secret === undefined || fingerprintSecret(secret) === fingerprints[name as SecretName] ? [] : [name],
  );
  if (foreign.length === 0) return;
  throw new Error(
    `${foreign.join(", ")}: not what this database was used with. Give this command the server's. Nothing was changed.`,
  );
}

/** Assigns the database to this machine's deployment and returns its id. */
export async function resumeDeployment(
  options: Omit<DeploymentOptions, "secrets">,
): Promise<{ readonly deploymentId: string }> {
  const { databaseUrl, dataDir, configuredId } = options;
  const deploymentId = configuredId ?? randomUUID();
  await claimDeployment(databaseUrl, deploymentId);
  if (configuredId === undefined) writeDeploymentFile(dataDir, deploymentId);
  return { deploymentId };
}

export async function acceptSecrets(databaseUrl: string, secrets: Secrets): Promise<void> {
  await storeFingerprints(databaseUrl, fingerprintSecrets(secrets));
}
