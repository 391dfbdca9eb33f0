"use server";
import { z } from "zod";
import { agreedPrice } from "#app/(dashboard)/fields.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import type { CoreQuote, CoresChanged, CoresInput, NotesInput } from "#components/license/license-changes.ts";
import type { LicenseChanged } from "#components/license/license-details.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { quoteCoreChange } from "#lib/services/license/quote-core-change.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import type { SeenLicense } from "./present.ts";

const coreChange = z.object({ license_id: parameter.integer, cores: parameter.integerUpTo(MAX_CORES) });

export async function changeAddress(
  seen: SeenLicense,
  newIp: string,
  idempotencyKey: string,
): Promise<ActionResult<LicenseChanged>> {
  const { licenseId, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "licenses.changeAddress",
    schema: z.object({ license_id: parameter.integer, new_ip: parameter.licenseAddress }),
    input: { license_id: licenseId, new_ip: newIp },
    idempotencyKey,
    seenVersion,
    run: async (ctx, input) => {
      const changed = await changeLicenseIp(ctx, { licenseId: input.license_id, newIp: input.new_ip });
      return { pending: changed.providerStatus === "pending" };
    },
  });
  return shownAnew(result, "/licenses");
}

/** For the dialog's query. Null: no such change is possible. */
export async function readCoreQuote(licenseId: number, cores: number): Promise<ActionResult<CoreQuote | null>> {
  const result = await runAction({
    name: "licenses.readCoreQuote",
    schema: coreChange,
    input: { license_id: licenseId, cores },
    run: async (ctx, input) => {
      const quote = await quoteCoreChange(ctx, { licenseId: input.license_id, cores: input.cores });
      return {
        cores: quote.newCores,
        price: quote.price.toString(),
        currency: quote.currency,
        renewalChange: quote.renewalChange?.toString() ?? null,
        renewalPrice: quote.renewalPrice?.toString() ?? null,
      };
    },
  });
  const isUnanswered = !result.ok && (result.error.code === "internal" || result.error.code === "unavailable");
  return result.ok || isUnanswered ? result : { ok: true, value: null };
}

export async function changeCores(
  seen: SeenLicense,
  input: CoresInput,
  idempotencyKey: string,
): Promise<ActionResult<CoresChanged>> {
  const { licenseId, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "licenses.changeCores",
    schema: coreChange.extend({ agreed_price: agreedPrice }),
    input: { license_id: licenseId, ...input },
    idempotencyKey,
    seenVersion,
    run: async (ctx, input) => {
      const changed = await changeLicenseCores(ctx, {
        licenseId: input.license_id,
        cores: input.cores,
        agreedPrice: BigInt(input.agreed_price),
      });
      return {
        pending: changed.providerStatus === "pending",
        cores: changed.newCores,
        balanceAfter: changed.balanceAfter.toString(),
        currency: changed.currency,
      };
    },
  });
  return shownAnew(result, "/licenses");
}

export async function setNotes(
  licenseId: number,
  input: NotesInput,
  idempotencyKey: string,
): Promise<ActionResult<NotesInput>> {
  const { notes, seenVersion } = partsOf(input);
  const result = await runAction({
    name: "licenses.setNotes",
    schema: z.object({ license_id: parameter.integer, notes: parameter.notes }),
    input: { license_id: licenseId, notes },
    idempotencyKey,
    seenVersion,
    run: async (ctx, input) => {
      const license = await setLicenseNotes(ctx, { licenseId: input.license_id, notes: input.notes });
      return { notes: license.notes, seenVersion: versionOf([license]) };
    },
  });
  return shownAnew(result, "/licenses");
}

const terminationSchema = z
  .object({ license_id: parameter.integer, typed_id: z.string() })
  .superRefine(({ license_id, typed_id }, { addIssue }) => {
    const id = formatLicenseId(license_id as LicenseId);
    if (typed_id.trim() !== id) addIssue({ code: "custom", path: ["typed_id"], message: `Type ${id} to confirm.` });
  });

export async function terminate(
  seen: SeenLicense,
  typedId: string,
  idempotencyKey: string,
): Promise<ActionResult<LicenseChanged>> {
  const { licenseId, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "licenses.terminate",
    schema: terminationSchema,
    input: { license_id: licenseId, typed_id: typedId },
    idempotencyKey,
    seenVersion,
    run: async (ctx, input) => {
      const { providerStatus } = await terminateLicense(ctx, { licenseId: input.license_id });
      return { pending: providerStatus === "pending" };
    },
  });
  return shownAnew(result, "/licenses");
}
