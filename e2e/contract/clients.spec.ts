import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { expect, test } from "../support/test.ts";
import { systemContext } from "../support/world.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;
const MIN_CHECKS = 150;

/** `npm test` installs what each needs where it can (scripts/interpreters.ts). */
const clients = [
  { language: "Python", command: "python3", needs: "python3", version: "--version", script: "walk.py" },
  { language: "PHP", command: "php", needs: "php", version: "--version", script: "walk.php" },
  { language: "Java", command: "java", needs: "javac", version: "-version", script: "Walk.java" },
] as const;

async function isInstalled(command: string, version: string): Promise<boolean> {
  return run(command, [version]).then(
    () => true,
    () => false,
  );
}

for (const { language, command, needs, version, script } of clients) {
  test(`a strict client in ${language} walks the life of a license, every answer of the documented form (parts 2 to 9 of both documents)`, async ({
    reseller,
    apiUrl,
  }) => {
    test.skip(!(await isInstalled(needs, version)), `${needs} is not installed`);
    test.setTimeout(TIMEOUT_MS);
    const plain = await reseller.newProduct({ price: 1450n, setupFee: 500n, workers: 8 });
    const metered = await reseller.newProduct({ price: 1800n, pricePerCore: 650n });
    const bundle = await reseller.newBundle([{ workers: 2 }, { pricePerCore: 300n }], { price: 2990n });
    const subnet = `12.${reseller.resellerId >> 8}.${reseller.resellerId & 255}`;
    const { stdout } = await run(command, [join(import.meta.dirname, "..", "clients", script)], {
      timeout: TIMEOUT_MS,
      env: {
        ...process.env,
        BASE_URL: apiUrl,
        API_KEY: reseller.apiKey,
        SOURCE: reseller.source,
        SUBNET: subnet,
        TYPE: plain.type,
        METERED_TYPE: metered.type,
        BUNDLE: bundle.name,
      },
    });
    expect(Number(/^The walk is done: (\d+) checks\.$/m.exec(stdout)?.[1])).toBeGreaterThan(MIN_CHECKS);

    const { differences } = await verifyWallets(systemContext());
    expect(differences.filter(({ resellerId }) => resellerId === reseller.resellerId)).toEqual([]);
  });
}
