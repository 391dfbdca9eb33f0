import { expect, test } from "vitest";
import { type DeploymentRecord, fingerprintOf, judgeDeployment } from "./deployment.ts";

const record: DeploymentRecord = {
  deploymentId: "6f1c0f0e-9c37-4e57-b5a2-1d6cbb0a7a11",
  place: "7300000000000000001/16384",
  fingerprints: { API_KEY_PEPPER: "a", NEXTAUTH_SECRET: "b", ENCRYPTION_KEY: "c" },
};

test("the process that the database belongs to acts", () => {
  expect(judgeDeployment(record, record)).toEqual({ kind: "own" });
});

test("a copy is recognized by its id, by its place, and by a machine that was told no id", () => {
  const copies = [
    { ...record, deploymentId: "0d6cbb0a-9c37-4e57-b5a2-6f1c0f0e7a11" },
    { ...record, place: "7300000000000000001/16999" },
    { ...record, place: "7400000000000000001/16384" },
    { ...record, deploymentId: null },
  ];
  for (const local of copies) expect(judgeDeployment(record, local).kind).toBe("copy");
});

test("a process with another secret is named by that secret, before anything else", () => {
  const fingerprints = { ...record.fingerprints, ENCRYPTION_KEY: "x" };
  expect(judgeDeployment(record, { ...record, deploymentId: null, fingerprints })).toEqual({
    kind: "foreign_secrets",
    names: ["ENCRYPTION_KEY"],
  });
});

test("a fingerprint tells secrets apart and does not contain them", () => {
  const secret = "a secret that is long enough for one";
  expect(fingerprintOf(secret)).toBe(fingerprintOf(secret));
  expect(fingerprintOf(secret)).not.toBe(fingerprintOf(`${secret}.`));
  expect(fingerprintOf(secret)).toMatch(/^[0-9a-f]{32}$/);
});
