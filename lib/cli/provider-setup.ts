import type { Command } from "commander";
import { createProvider } from "#lib/services/provider/create.ts";
import { listProviders } from "#lib/services/provider/list.ts";
import { setProviderDisabled } from "#lib/services/provider/set-disabled.ts";
import { testProviderConnection } from "#lib/services/provider/test-connection.ts";
import { updateProvider } from "#lib/services/provider/update.ts";
import { UsageError } from "./error.ts";
import { readSecret } from "./options.ts";
import { printJson, timestampOrNull } from "./output.ts";
import { runAsOperator } from "./run.ts";

type CreateOptions = { name: string; baseUrl: string; apiKeyFile: string; signingSecretFile?: string };
type UpdateOptions = Partial<CreateOptions> & { name: string; signingSecret: boolean };

/** Adds the commands that set up providers. */
export function addProviderSetup(noun: Command): void {
  noun
    .command("create")
    .description("resell a service with the dispatch interface, such as another License Desk")
    .requiredOption("--name <name>", "the name that products use; cannot be changed")
    .requiredOption("--base-url <url>", "its https address, ending in /api/v1/")
    .requiredOption("--api-key-file <file>", "our key there is in this file; - for standard input")
    .option("--signing-secret-file <file>", "sign every request with the secret in this file")
    .action(async ({ apiKeyFile, signingSecretFile, ...provider }: CreateOptions) => {
      requireSeparateInputs(apiKeyFile, signingSecretFile);
      const apiKey = await readSecret("api-key-file", apiKeyFile);
      const signingSecret = await readSecret("signing-secret-file", signingSecretFile);
      const input = { ...provider, apiKey, signingSecret };
      const { name, baseUrl } = await runAsOperator((ctx) => createProvider(ctx, input), { encryption: true });
      printJson({ name, base_url: baseUrl });
    });
  noun
    .command("update")
    .description("change a provider's address or credentials")
    .requiredOption("--name <name>", "the provider to change; other settings stay")
    .option("--base-url <url>", "another URL of the same service; requires its credentials again")
    .option("--api-key-file <file>", "our new key is in this file; - for standard input")
    .option("--signing-secret-file <file>", "sign every request with the secret in this file")
    .option("--no-signing-secret", "stop signing")
    .action(async ({ name, baseUrl, apiKeyFile, signingSecretFile, signingSecret: signs }: UpdateOptions) => {
      if (!signs && signingSecretFile !== undefined) {
        throw new UsageError("Give either --signing-secret-file or --no-signing-secret.");
      }
      requireSeparateInputs(apiKeyFile, signingSecretFile);
      const apiKey = await readSecret("api-key-file", apiKeyFile);
      const signingSecret = signs ? await readSecret("signing-secret-file", signingSecretFile) : null;
      if (signingSecret === undefined && baseUrl === undefined && apiKey === undefined) {
        throw new UsageError(
          "There is nothing to change: give --base-url, --api-key-file, --signing-secret-file or --no-signing-secret.",
        );
      }
      await runAsOperator((ctx) => updateProvider(ctx, { name, baseUrl, apiKey, signingSecret }), { encryption: true });
      printJson({ name });
    });
  for (const [verb, disabled, description] of [
    ["disable", true, "send nothing to a provider any more; it is still asked for outcomes"],
    ["enable", false, "use a disabled provider again"],
  ] as const) {
    noun
      .command(verb)
      .description(description)
      .requiredOption("--name <name>")
      .action(async ({ name }: { name: string }) => {
        const { disabledAt } = await runAsOperator((ctx) => setProviderDisabled(ctx, { name, disabled }));
        printJson({ name, disabled_at: timestampOrNull(disabledAt) });
      });
  }
  noun
    .command("list")
    .description("list every provider, without its credentials")
    .action(async () => {
      const providers = await runAsOperator(listProviders);
      printJson(
        providers.map(({ name, kind, baseUrl, signs, disabledAt, productCount }) => ({
          name,
          kind,
          base_url: baseUrl,
          signs,
          disabled_at: timestampOrNull(disabledAt),
          products: productCount,
        })),
      );
    });
  noun
    .command("test")
    .description("read our balance at a provider; fails if that does not work")
    .requiredOption("--name <name>")
    .action(async ({ name }: { name: string }) => {
      const test = await runAsOperator((ctx) => testProviderConnection(ctx, { name }), { encryption: true });
      const { latencyMs, ...result } = test;
      printJson({ ...result, latency_ms: latencyMs });
      if (!test.works) process.exitCode = 1;
    });
}

/** Standard input can be read once. */
function requireSeparateInputs(apiKeyFile: string | undefined, signingSecretFile: string | undefined): void {
  if (apiKeyFile !== "-" || signingSecretFile !== "-") return;
  throw new UsageError("Standard input has one secret: give a file for --api-key-file or --signing-secret-file.");
}
