import { Command, Option } from "commander";
import { findOwner } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { onBehalfOf, type ServiceContext } from "#lib/services/context.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { UsageError } from "./error.ts";
import { readId } from "./options.ts";
import { printJson } from "./output.ts";
import { runAsOperator } from "./run.ts";

type AutoRenewOptions = { id: LicenseId; on?: boolean; off?: boolean };

export function licenseCommand(): Command {
  const noun = new Command("license").description("licenses of resellers");
  noun
    .command("auto-renew")
    .description("turn auto-renew of a license on or off")
    .requiredOption("--id <id>", "which license", readId<LicenseId>)
    .addOption(new Option("--on", "from now on").conflicts("off"))
    .addOption(new Option("--off", "no longer"))
    .action(async ({ id, on, off }: AutoRenewOptions) => {
      if (on === undefined && off === undefined) throw new UsageError("Say --on or --off.");
      const { licenseId, autoRenew } = await runAsOperator((ctx) => setAutoRenew(ctx, id, on === true));
      printJson({ license_id: licenseId, auto_renew: autoRenew });
    });
  return noun;
}

async function setAutoRenew(ctx: ServiceContext, licenseId: LicenseId, on: boolean) {
  const resellerId = await findOwner(ctx.db, licenseId);
  if (resellerId === null) throw new DomainError("not_found", "There is no such license.");
  const acting = onBehalfOf(ctx, resellerId, ["licenses:write"]);
  return setLicenseAutoRenew(acting, { licenseId, on });
}
