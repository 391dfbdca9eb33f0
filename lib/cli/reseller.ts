import { Command } from "commander";
import type { ResellerId } from "#lib/domain/ids.ts";
import { toMajorNumber } from "#lib/domain/money.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { listResellers } from "#lib/services/reseller/list.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { UsageError } from "./error.ts";
import { readDays, readId, readInteger, readSecret } from "./options.ts";
import { printJson, timestampOrNull } from "./output.ts";
import { runAsOperator } from "./run.ts";

type RenewalOptions = { id: ResellerId; expiringSoon?: number[]; renewAhead?: number };
type CreateOptions = { name: string; email: string; currency: string; passwordFile?: string };

export function resellerCommand(): Command {
  const noun = new Command("reseller").description("customers who buy licenses");
  noun
    .command("create")
    .description("create a reseller with an empty wallet")
    .requiredOption("--name <name>")
    .requiredOption("--email <address>")
    .requiredOption("--currency <code>", "ISO 4217; cannot be changed")
    .option(
      "--password-file <file>",
      "also create a user who signs in with the email address and the password in this file; - for standard input",
    )
    .action(async ({ passwordFile, ...options }: CreateOptions) => {
      const password = await readSecret("password-file", passwordFile);
      const created = await runAsOperator((ctx) => createReseller(ctx, { ...options, password }));
      const { resellerId, userId, currency } = created;
      printJson({ reseller_id: resellerId, user_id: userId, currency });
    });
  noun
    .command("renewal-settings")
    .description("when `license.expiring_soon` is emitted, and how far ahead auto-renew renews")
    .requiredOption("--id <id>", "of the reseller", readId<ResellerId>)
    .option("--expiring-soon <days>", "days before the end, e.g. 14,3", readDays)
    .option("--renew-ahead <days>", "days before the end", readInteger)
    .action(async ({ id, expiringSoon, renewAhead }: RenewalOptions) => {
      if (expiringSoon === undefined && renewAhead === undefined) {
        throw new UsageError("There is nothing to change: give --expiring-soon or --renew-ahead.");
      }
      const settings = await runAsOperator((ctx) =>
        setRenewalSettings(ctx, {
          resellerId: id,
          ...(expiringSoon ? { expiringSoonDays: expiringSoon } : {}),
          ...(renewAhead ? { renewAheadDays: renewAhead } : {}),
        }),
      );
      printJson({
        reseller_id: id,
        expiring_soon_days: settings.expiringSoonDays,
        renew_ahead_days: settings.renewAheadDays,
      });
    });
  noun
    .command("list")
    .description("list every reseller with its wallet")
    .action(async () => {
      const resellers = await runAsOperator(listResellers);
      printJson(
        resellers.map(({ resellerId, name, email, currency, posted, held, suspendedAt, createdAt }) => ({
          reseller_id: resellerId,
          name,
          email,
          currency,
          balance: toMajorNumber(posted - held, currency),
          held: toMajorNumber(held, currency),
          suspended_at: timestampOrNull(suspendedAt),
          created_at: toTimestamp(createdAt),
        })),
      );
    });
  return noun;
}
