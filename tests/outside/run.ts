/** node tests/outside/run.ts [--orders=1000] [--customers=48] [--seed=1] [--faults=0.18] [--disturbances=kill,pause,…] */
import { parseArgs } from "node:util";
import { type Disturbance, prove } from "./proof.ts";

const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "1000" },
    customers: { type: "string", default: "48" },
    seed: { type: "string", default: "1" },
    faults: { type: "string", default: "0.18" },
    disturbances: { type: "string", default: "" },
  },
});
const report = await prove({
  orders: Number(values.orders),
  customers: Number(values.customers),
  seed: Number(values.seed),
  providerFaults: Number(values.faults),
  disturbances: values.disturbances.split(",").filter(Boolean) as Disturbance[],
  log: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exit(report.unexplained === 0 ? 0 : 1);
