import { createHmac } from "node:crypto";

/** Secrets shared by all instances of a deployment, by variable name. */
export type SecretName = "API_KEY_PEPPER" | "NEXTAUTH_SECRET" | "ENCRYPTION_KEY";
export type SecretFingerprints = Readonly<Record<SecretName, string>>;

/** The deployment that the database belongs to. */
export interface DeploymentRecord {
  readonly deploymentId: string;
  /** Server and database at creation or the last resume. */
  readonly place: string;
  readonly fingerprints: SecretFingerprints;
}

/** `deploymentId` is null if this machine does not name one. */
export interface LocalDeployment {
  readonly deploymentId: string | null;
  readonly place: string;
  readonly fingerprints: SecretFingerprints;
}

export type DeploymentVerdict =
  | { readonly kind: "own" }
  /** A copy, or a machine without an id: nothing runs until an operator resumes it. */
  | { readonly kind: "copy"; readonly reason: string }
  | { readonly kind: "foreign_secrets"; readonly names: readonly SecretName[] };

const FINGERPRINT_TEXT = "license-desk secret fingerprint";
const FINGERPRINT_LENGTH = 32;

/** One-way; reveals only whether two secrets are equal. */
export function fingerprintSecret(secret: string): string {
  return createHmac("sha256", secret).update(FINGERPRINT_TEXT).digest("hex").slice(0, FINGERPRINT_LENGTH);
}

/** Secrets come first: with other secrets nothing stored can be verified or decrypted, resumed or not. */
export function assessDeployment(record: DeploymentRecord, local: LocalDeployment): DeploymentVerdict {
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
    return { kind: "copy", reason: "the database was restored or copied to another server" };
  }
  return { kind: "own" };
}
