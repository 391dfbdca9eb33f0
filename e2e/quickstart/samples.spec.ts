import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { parseCurl, writeSamples } from "#lib/dashboard/samples.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";

const run = promisify(execFile);

/** The examples of some operations, which need nothing but a license. */
function readExamples(values: Readonly<Record<string, string>>) {
  const text = ["path-interface", "dispatch-interface"].map((page) => readFileSync(`docs/contract/${page}.md`, "utf8"));
  const commands = [...text.join("\n").matchAll(/^```sh\n(curl [\s\S]*?)```$/gm)].map(([, command = ""]) => command);
  return ["license.register", "/license/verify", "/license/auto-renew", "license.suspend", "endpoint=me", "$BASE/me"]
    .flatMap((name) => commands.find((command) => command.includes(name)) ?? [])
    .map((command) => Object.entries(values).reduce((all, [old, now]) => all.replaceAll(old, now), command));
}

const missingProgram = (program: string) =>
  run(program, ["--version"]).then(
    () => null,
    () => `${program} is not installed`,
  );

const languages = {
  typescript: { file: "sample.mts", program: process.execPath, before: "" },
  php: { file: "sample.php", program: "php", before: "<?php\n" },
  python: { file: "sample.py", program: "python3", before: "" },
} as const;

for (const [language, { file, program, before }] of Object.entries(languages)) {
  test(`examples in ${language} run as printed`, async ({ reseller }) => {
    const missing = language === "php" ? await missingPhp("curl") : await missingProgram(program);
    test.skip(missing !== null, String(missing));
    const tester = await reseller.inTestMode();
    await tester.dispatch.get("me");
    const { product_id, cycle_id } = await reseller.newProduct();
    const order = { product_id, cycle_id, ip_address: reseller.newAddress() };
    const { license_id, license_key } = (await tester.dispatch.post("license.register", order)).body.data;
    const examples = readExamples({
      "product_id=1": `product_id=${product_id}`,
      "cycle_id=1": `cycle_id=${cycle_id}`,
      "203.0.113.7": reseller.newAddress(),
      "license_id=12": `license_id=${license_id}`,
      "LIC-AN7X6-1SCXJ-P6RB7-C93C7": String(license_key),
    });
    expect(examples).toHaveLength(6);
    for (const command of examples) {
      const request = parseCurl(command);
      if (!request) throw new Error(`not a request: ${command}`);
      const sample = writeSamples(request);
      const script = test.info().outputPath(file);
      writeFileSync(script, `${before}${sample[language as keyof typeof sample]}\n`);
      const env = {
        ...process.env,
        FORCE_COLOR: "0",
        LICENSE_DESK_URL: tester.baseUrl,
        LICENSE_DESK_API_KEY: tester.apiKey,
      };
      const { stdout } = await run(program, [script], { env });
      expect(stdout, command).toMatch(/^200 \{/);
    }
  });
}
