import { Command, Option } from "commander";
import type { ApiKeyMode } from "#lib/domain/api-key.ts";
import type { ApiKeyId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { listApiKeys } from "#lib/services/api-key/list.ts";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { readHours, readId, readInstant, readInteger, readList, readScopes } from "./options.ts";
import { printJson, timestampOrNull } from "./output.ts";
import { runAsOperator } from "./run.ts";

type CreateOptions = {
  reseller: ResellerId;
  name: string;
  mode?: ApiKeyMode;
  scopes: Scope[];
  cidrs?: string[];
  license?: LicenseId;
  rateLimit?: number;
  expires?: Date;
  signing?: boolean;
  requireSignature?: boolean;
};

type SigningOptions = { signing?: boolean | undefined; requireSignature?: boolean | undefined };
type RotateOptions = SigningOptions & { id: ApiKeyId; graceHours?: number };

export function apiKeyCommand(): Command {
  const noun = new Command("api-key").description("credentials of programs");
  noun
    .command("create")
    .description("create an API key and show it once")
    .requiredOption("--reseller <id>", "the reseller that owns the key", readId<ResellerId>)
    .requiredOption("--name <name>", "what it is for")
    .requiredOption("--scopes <names>", 'separated by commas, or "all", which lacks licenses:terminate', readScopes)
    .addOption(new Option("--mode <mode>", "test: a key of its sandbox").choices(["live", "test"]).default("live"))
    .option("--cidrs <ranges>", "source addresses that may use it, separated by commas; any by default", readList)
    .option("--license <id>", "bind it to one license, which must be neither pending nor terminated", readId<LicenseId>)
    .option("--rate-limit <number>", "requests per minute; 600 by default", readInteger)
    .option("--expires <day or instant>", "expiry, in UTC", readInstant)
    .option("--signing", "also create a signing secret and show it once")
    .option("--require-signature", "the same, and reject unsigned requests")
    .action(async ({ reseller, license, rateLimit, expires, signing, requireSignature, ...options }: CreateOptions) => {
      const input = {
        ...options,
        resellerId: reseller,
        licenseId: license,
        expiresAt: expires ?? null,
        signing: readSigning({ signing, requireSignature }),
        ...(rateLimit === undefined ? {} : { rateLimitPerMinute: rateLimit }),
      };
      const created = await runAsOperator((ctx) => createResellerApiKey(ctx, input), {
        pepper: true,
        encryption: input.signing !== undefined,
      });
      printJson({
        api_key_id: created.apiKeyId,
        api_key: created.apiKey,
        ...(created.signingSecret === null ? {} : { signing_secret: created.signingSecret }),
        scopes: options.scopes,
        expires_at: timestampOrNull(input.expiresAt),
      });
    });
  noun
    .command("rotate")
    .description("create a key that replaces an old one, and revoke the old one after a while")
    .requiredOption("--id <id>", "the old key", readId<ApiKeyId>)
    .option("--grace-hours <hours>", "how long the old one still works; 24 by default", readHours)
    .option("--signing", "give the new one a signing secret, even if the old one has none")
    .option("--require-signature", "the same, and reject unsigned requests")
    .action(async ({ id, graceHours, ...options }: RotateOptions) => {
      const input = { apiKeyId: id, graceHours, signing: readSigning(options) };
      // Only the database has the information whether the old key has a signing secret.
      const rotated = await runAsOperator((ctx) => rotateApiKey(ctx, input), { pepper: true });
      printJson({
        api_key_id: rotated.apiKeyId,
        api_key: rotated.apiKey,
        ...(rotated.signingSecret === null ? {} : { signing_secret: rotated.signingSecret }),
        old_api_key_id: id,
        old_expires_at: toTimestamp(rotated.oldExpiresAt),
      });
    });
  noun
    .command("revoke")
    .description("revoke a key, everywhere within a second")
    .requiredOption("--id <id>", "the key", readId<ApiKeyId>)
    .action(async ({ id }: { id: ApiKeyId }) => {
      const { revokedAt } = await runAsOperator((ctx) => revokeApiKey(ctx, { apiKeyId: id }));
      printJson({ api_key_id: id, revoked_at: toTimestamp(revokedAt) });
    });
  noun
    .command("list")
    .description("list a reseller's keys without secrets")
    .requiredOption("--reseller <id>", "whose keys", readId<ResellerId>)
    .action(async ({ reseller }: { reseller: ResellerId }) => {
      const { rows: keys } = await runAsOperator((ctx) => listApiKeys(ctx, { resellerId: reseller }));
      printJson(
        keys.map((key) => ({
          api_key_id: key.apiKeyId,
          name: key.name,
          hint: key.hint,
          scopes: key.scopes,
          cidrs: key.cidrs,
          license_id: key.licenseId,
          rate_limit: key.rateLimitPerMinute,
          signing: key.signing,
          expires_at: timestampOrNull(key.expiresAt),
          revoked_at: timestampOrNull(key.revokedAt),
          last_used_at: timestampOrNull(key.lastUsedAt),
          last_used_from: key.lastUsedFrom,
          created_at: toTimestamp(key.createdAt),
        })),
      );
    });
  return noun;
}

function readSigning({ signing, requireSignature }: SigningOptions): "optional" | "required" | undefined {
  if (requireSignature) return "required";
  return signing ? "optional" : undefined;
}
