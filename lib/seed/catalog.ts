import type { Database } from "#lib/db/connection/client.ts";
import { insertSeedBundle, insertSeedProduct } from "#lib/db/seed/catalog.ts";
import { parseCurrency, parseMajor } from "#lib/domain/money.ts";

/** Months, price as a share of a month's, name. */
const cycles = [
  { name: "Monthly", months: 1, factor: 1 },
  { name: "Quarterly", months: 3, factor: 2.85 },
  { name: "Yearly", months: 12, factor: 10 },
] as const;

/** Price of one US dollar in each currency of the list, rounded to whole minor units. */
const currencies = { USD: 1, EUR: 0.92, GBP: 0.79, JPY: 150, KWD: 0.31 } as const;

interface ProductSeed {
  readonly slug: string;
  readonly name: string;
  readonly workers?: number;
  /** US dollars per month. */
  readonly monthly: number;
  readonly setupFee?: number;
  /** US dollars per core and month; makes the product core-metered. */
  readonly perCore?: number;
}

const products: readonly ProductSeed[] = [
  { slug: "control_panel", name: "Server Control Panel", monthly: 14.5 },
  { slug: "hardened_kernel", name: "Hardened Kernel", monthly: 12 },
  { slug: "web_server", name: "Accelerated Web Server", workers: 4, monthly: 18, perCore: 6.5 },
  { slug: "malware_scanner", name: "Malware Scanner", monthly: 9.25 },
  { slug: "backup_agent", name: "Backup Agent", monthly: 4.75, setupFee: 5 },
];

const bundles = [
  {
    name: "Shared Hosting Essentials",
    description: "Control panel, hardened kernel and malware scanner for one server.",
    members: ["control_panel", "hardened_kernel", "malware_scanner"],
    monthly: 29.9,
  },
  {
    name: "Performance Server",
    description: "Control panel, accelerated web server and backups for one server.",
    members: ["control_panel", "web_server", "backup_agent"],
    monthly: 32,
  },
] as const;

function prices(seed: { monthly: number; setupFee?: number; perCore?: number }, factor: number) {
  return Object.entries(currencies).map(([code, rate]) => {
    const toMinor = (dollars: number) => toMinorUnits(dollars * rate, code);
    return {
      currency: code,
      price: toMinor(seed.monthly * factor),
      setupFee: toMinor(seed.setupFee ?? 0),
      pricePerCore: seed.perCore === undefined ? null : toMinor(seed.perCore * factor),
    };
  });
}

function toMinorUnits(major: number, code: string): bigint {
  const currency = parseCurrency(code);
  for (let digits = 3; currency && digits >= 0; digits--) {
    const minor = parseMajor(major.toFixed(digits), currency);
    if (minor !== null) return minor;
  }
  throw new Error(`${major} is not an amount of ${code}`);
}

function cyclesOf(seed: Parameters<typeof prices>[0]) {
  return cycles.map(({ name, months, factor }) => ({ name, months, prices: prices(seed, factor) }));
}

/** A neutral catalog with list prices, provisioned by the sandbox provider. */
export async function seedCatalog(db: Database): Promise<void> {
  for (const { slug, name, workers = 0, ...seed } of products) {
    const product = { slug, name, workers, coreMetered: seed.perCore !== undefined };
    await insertSeedProduct(db, { ...product, providerSku: slug.replaceAll("_", "-"), cycles: cyclesOf(seed) });
  }
  for (const bundle of bundles) await insertSeedBundle(db, { ...bundle, cycles: cyclesOf(bundle) });
}
