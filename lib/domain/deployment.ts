import { createHmac } from "node:crypto";

/** The secrets that every instance of a deployment shares, by the names of their variables. */
export type SecretName = "API_KEY_PEPPER" | "NEXTAUTH_SECRET" | "ENCRYPTION_KEY";
export type SecretFingerprints = Readonly<Record<SecretName, string>>;

/** What the database says about the deployment that it belongs to. */
export interface DeploymentRecord {
  readonly deploymentId: string;
  /** The server and the database that held it when it was created or resumed last. */
  readonly place: string;
  readonly fingerprints: SecretFingerprints;
}

/** What a starting process knows: `deploymentId` is null when nothing on this machine says it. */
export interface LocalDeployment {
  readonly deploymentId: string | null;
  readonly place: string;
  readonly fingerprints: SecretFingerprints;
}

export type DeploymentVerdict =
  | { readonly kind: "own" }
  /** A copy, or a machine that has not been told: nothing may act until an operator resumes it. */
  | { readonly kind: "copy"; readonly reason: string }
  | { readonly kind: "foreign_secrets"; readonly names: readonly SecretName[] };

const FINGERPRINT_TEXT = "license-desk secret fingerprint";
const FINGERPRINT_LENGTH = 32;

/** One way: says whether two secrets are equal, and nothing else about them. */
export function fingerprintOf(secret: string): string {
  return createHmac("sha256", secret).update(FINGERPRINT_TEXT).digest("hex").slice(0, FINGERPRINT_LENGTH);
}

/** Secrets come first: with others, nothing that is stored can be checked or opened, resumed or not. */
export function judgeDeployment(record: DeploymentRecord, local: LocalDeployment): DeploymentVerdict {
  const names = Object.keys(record.fingerprints) as SecretName[];
  const foreign = names.filter((name) => record.fingerprints[name] !== local.fingerprints[name]);
  if (foreign.length > 0) return { kind: "foreign_secrets", names: foreign };
  if (local.deploymentId === null) {
    return { kind: "copy", reason: "this machine has no DEPLOYMENT_ID and no deployment.json of its own" };
  }
  if (local.deploymentId !== record.deploymentId) {
    return { kind: "copy", reason: "the database belongs to another deployment" };
  }
  if (local.place !== record.place) {
    return { kind: "copy", reason: "the database was restored or copied to another place" };
  }
  return { kind: "own" };
}
