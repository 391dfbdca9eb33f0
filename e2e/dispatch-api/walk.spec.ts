import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { expect, test } from "../support/test.ts";
import { systemContext } from "../support/world.ts";

const run = promisify(execFile);

test("plain curl walks the life of a license, every price exact, and the books agree afterwards", async ({
  reseller,
  apiUrl,
}) => {
  const { stdout } = await run("sh", [join(import.meta.dirname, "..", "walk.sh")], {
    env: {
      ...process.env,
      BASE_URL: apiUrl,
      API_KEY: reseller.apiKey,
      WALK_NETWORK: `10.${64 + ((reseller.resellerId >> 8) % 64)}.${reseller.resellerId % 256}`,
      SOURCE: reseller.source,
    },
  });
  expect(stdout).toContain("The walk is done");

  const { differences } = await verifyWallets(systemContext());
  expect(differences.filter(({ resellerId }) => resellerId === reseller.resellerId)).toEqual([]);
});
