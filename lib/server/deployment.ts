import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { claimDeployment, findDeployment, readDeployment, storeFingerprints } from "#lib/db/deployment/deployment.ts";
import {
  assessDeployment,
  type DeploymentVerdict,
  fingerprintSecret,
  type SecretFingerprints,
} from "#lib/domain/deployment.ts";
import type { Secrets } from "#lib/embedded/data-dir.ts";
import { readDeploymentFile, writeDeploymentFile } from "#lib/embedded/deployment-file.ts";

export interface DeploymentOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** DEPLOYMENT_ID; it wins over the file. */
  readonly givenId: string | undefined;
  readonly secrets: Secrets;
}

function fingerprintsOf({ apiKeyPepper, authSecret, encryptionKey }: Secrets): SecretFingerprints {
  return {
    API_KEY_PEPPER: fingerprintSecret(apiKeyPepper),
    NEXTAUTH_SECRET: fingerprintSecret(authSecret),
    ENCRYPTION_KEY: fingerprintSecret(encryptionKey),
  };
}

/**
 * Compares the database with this machine. A new database becomes this machine's deployment.
 * @throws Error when the process has other secrets than the database was used with.
 */
export async function checkDeployment(options: DeploymentOptions): Promise<OwnOrCopy> {
  const { dataDir, givenId } = options;
  const hadId = givenId !== undefined || readDeploymentFile(dataDir) !== null;
  const verdict = await judge(options);
  if (verdict.kind === "own" || hadId) return verdict;
  // An instance that shares DATA_DIR may have created the deployment a moment ago: its file follows the database's row.
  for (let waitedMs = 0; readDeploymentFile(dataDir) === null; waitedMs += FILE_POLL_MS) {
    if (waitedMs >= FILE_WAIT_MS) return verdict;
    await sleep(FILE_POLL_MS);
  }
  return judge(options);
}

const FILE_WAIT_MS = 2_000;
const FILE_POLL_MS = 50;

type OwnOrCopy = Exclude<DeploymentVerdict, { kind: "foreign_secrets" }>;

async function judge({ databaseUrl, dataDir, givenId, secrets }: DeploymentOptions): Promise<OwnOrCopy> {
  const knownId = givenId ?? readDeploymentFile(dataDir);
  const newId = randomUUID();
  const claim = { deploymentId: knownId ?? newId, fingerprints: fingerprintsOf(secrets) };
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
 * Whether a command line works on a copy: null, or why. A person who runs a command means it, so a machine without an id
 * passes; one with another id, or a database in another place, does not.
 */
export async function findCopyReason(options: {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly givenId: string | undefined;
}): Promise<string | null> {
  const found = await findDeployment(options.databaseUrl);
  if (!found) return null;
  const { record, place } = found;
  const deploymentId = options.givenId ?? readDeploymentFile(options.dataDir) ?? record.deploymentId;
  const verdict = assessDeployment(record, { deploymentId, place, fingerprints: record.fingerprints });
  return verdict.kind === "copy" ? verdict.reason : null;
}

/** Makes the database the deployment of this machine, and returns its id. */
export async function resumeDeployment(options: DeploymentOptions): Promise<{ readonly deploymentId: string }> {
  const { databaseUrl, dataDir, givenId } = options;
  const deploymentId = givenId ?? randomUUID();
  await claimDeployment(databaseUrl, deploymentId);
  if (givenId === undefined) writeDeploymentFile(dataDir, deploymentId);
  return { deploymentId };
}

export async function acceptSecrets({ databaseUrl, secrets }: DeploymentOptions): Promise<void> {
  await storeFingerprints(databaseUrl, fingerprintsOf(secrets));
}
