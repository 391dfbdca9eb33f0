import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const dashboard = import.meta.dirname;
const services = join(dashboard, "..", "..", "lib", "services");

/** Every form that binds something to an address, by its service: what asks whether a private address is meant. */
const forms = {
  "bundles/[id]/actions.ts": { "bundle/change-ip": /askIfMeant\("new_ip"\)/ },
  "bundles/new/actions.ts": { "bundle/register": /askIfMeant\("ip_address"\)/ },
  "licenses/[id]/change-actions.ts": { "license/change-ip": /askIfMeant\("new_ip"\)/ },
  "licenses/bulk/actions.ts": { "bulk/start-address-changes": /askIfMeant\("new_ips"\)/ },
  "licenses/import/actions.ts": { "license/start-import": /allowPrivateAddresses/ },
  "licenses/new/actions.ts": {
    "license/register-with-labels": /askIfMeant\("ip_address"\)/,
    "license/start-import": /askIfMeant\("ip_address"\)/,
  },
  "relocations/actions.ts": { "relocation/start": /requireMeant\(to, / },
} as const satisfies Record<string, Record<string, RegExp>>;

const list = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );

test("contract 1.8: every form that charges for an address or moves to one asks whether a private one is meant", () => {
  for (const [file, asked] of Object.entries(forms)) {
    const text = readFileSync(join(dashboard, file), "utf8");
    for (const [service, question] of Object.entries<RegExp>(asked)) {
      expect(text, file).toContain(`#lib/services/${service}.ts`);
      expect(text, file).toMatch(question);
    }
  }
});

test("and there is no other such form", () => {
  const taking = list(services).filter((path) => /\bLicenseAddress\b/.test(readFileSync(join(services, path), "utf8")));
  expect(taking.sort()).toEqual([
    "bulk/kinds.ts",
    "bulk/start-address-changes.ts",
    "bundle/change-ip.ts",
    "bundle/register.ts",
    "license/change-ip.ts",
    "license/register.ts",
    "license/start-import.ts",
    "license/update.ts",
    "operation/address-claim.ts",
    "relocation/parameters.ts",
  ]);
  const call =
    /#lib\/services\/(?:(?:license|bundle)\/(?:register(?:-with-(?:cores|labels))?|change-ip|update)|license\/start-import|bulk\/start-address-changes|relocation\/start)\.ts/;
  const calling = list(dashboard).filter((path) => call.test(readFileSync(join(dashboard, path), "utf8")));
  expect(calling.sort()).toEqual(Object.keys(forms));
});
