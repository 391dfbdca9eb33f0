/**
 * Customers order through clients that share no code with License Desk while everything fails; an accountant compares
 * the books.
 */
import { expect, test } from "vitest";
import { DISTURBANCES, type Disturbance } from "#tests/outside/disturbances.ts";
import { missingPrograms, prove } from "#tests/outside/proof.ts";
import { seed } from "./form.ts";

const ORDERS = 1_000;
const TIMEOUT_MS = 1_800_000;
const missing = await missingPrograms(DISTURBANCES);
const proof = { orders: ORDERS, customers: 32, seed, providerFaults: 0.1 };

const isNot = (lost: Disturbance) => (disturbance: Disturbance) => disturbance !== lost;

test.skipIf(missing.length > 0)(
  `customers, provider and ledger agree on ${ORDERS} orders (needs python3 and faketime)`,
  async () => {
    const report = await prove({ ...proof, disturbances: DISTURBANCES.filter(isNot("lossy_failover")) });
    expect(report).toMatchObject({ differences: 0, walletVerify: { differences: [], lot_differences: [] } });
  },
  TIMEOUT_MS,
);

test.skipIf(missing.length > 0)(
  "whatever an asynchronous failover loses is a case, and no number is given more than once (needs python3 and faketime)",
  async () => {
    const report = await prove({ ...proof, disturbances: ["lossy_failover"] });
    expect(report).toMatchObject({ unexplained: 0, walletVerify: { differences: [], lot_differences: [] } });
  },
  TIMEOUT_MS,
);
