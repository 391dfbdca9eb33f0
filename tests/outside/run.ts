/** node tests/outside/run.ts [--orders=1000] [--customers=48] [--seed=1] [--faults=0.15] [--disturbances=kill,pause,…] [--keep] */
import { parseArgs } from "node:util";
import { DISTURBANCES, type Disturbance } from "./disturbances.ts";
import { missingPrograms, prove } from "./proof.ts";

const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "1000" },
    customers: { type: "string", default: "48" },
    seed: { type: "string", default: "1" },
    faults: { type: "string", default: "0.15" },
    disturbances: { type: "string", default: "" },
    keep: { type: "boolean", default: false },
  },
});
const asked = values.disturbances.split(",").filter(Boolean);
const disturbances = DISTURBANCES.filter((name): name is Disturbance => asked.includes(name));
const unknown = asked.filter((name) => !(DISTURBANCES as readonly string[]).includes(name));
const missing = await missingPrograms(disturbances);
if (unknown.length > 0) throw new Error(`no such disturbance: ${unknown.join(", ")}`);
if (missing.length > 0) throw new Error(`missing: ${missing.join(", ")}`);
const report = await prove({
  orders: Number(values.orders),
  customers: Number(values.customers),
  seed: Number(values.seed),
  providerFaults: Number(values.faults),
  disturbances,
  keep: values.keep,
  log: (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const { differences, lot_differences } = report.walletVerify;
process.exit(report.unexplained + differences.length + lot_differences.length === 0 ? 0 : 1);
