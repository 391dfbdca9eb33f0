import { expect, test } from "vitest";
import { assessDeployment, type DeploymentRecord, fingerprintSecret } from "./deployment.ts";

const record: DeploymentRecord = {
  deploymentId: "6f1c0f0e-9c37-4e57-b5a2-1d6cbb0a7a11",
  place: "7300000000000000001/16384",
  fingerprints: { API_KEY_PEPPER: "a", NEXTAUTH_SECRET: "b", ENCRYPTION_KEY: "c" },
};

test("the process that owns the database may write", () => {
  expect(assessDeployment(record, record)).toEqual({ kind: "own" });
});

test("a copy is detected by its id, by its place, and by a machine without an id", () => {
  const copies = [
    { ...record, deploymentId: "0d6cbb0a-9c37-4e57-b5a2-6f1c0f0e7a11" },
    { ...record, place: "7300000000000000001/16999" },
    { ...record, place: "7400000000000000001/16384" },
    { ...record, deploymentId: null },
  ];
  for (const local of copies) expect(assessDeployment(record, local).kind).toBe("copy");
});

test("differing secrets are reported by name, before anything else", () => {
  const fingerprints = { ...record.fingerprints, ENCRYPTION_KEY: "x" };
  expect(assessDeployment(record, { ...record, deploymentId: null, fingerprints })).toEqual({
    kind: "foreign_secrets",
    names: ["ENCRYPTION_KEY"],
  });
});

test("a fingerprint tells secrets apart and does not contain them", () => {
  const secret = "a secret that is long enough for one";
  expect(fingerprintSecret(secret)).toBe(fingerprintSecret(secret));
  expect(fingerprintSecret(secret)).not.toBe(fingerprintSecret(`${secret}.`));
  expect(fingerprintSecret(secret)).toMatch(/^[0-9a-f]{32}$/);
});
