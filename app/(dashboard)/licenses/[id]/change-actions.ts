"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, id, meantAddress, seenVersion, viewedReseller } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { formatTags } from "#lib/domain/labels.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { quoteCoreChange } from "#lib/services/license/quote-core-change.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

const seenLicense = z.strictObject({ ...viewedReseller, licenseId: id<LicenseId>(), seenVersion });
const cores = parameter.integerUpTo(MAX_CORES);
const revalidate = ["/licenses"];

export const changeAddress = defineAction({
  name: "licenses.changeAddress",
  bound: seenLicense,
  input: z.strictObject({ new_ip: parameter.licenseAddress, meant_address: meantAddress }).check(askIfMeant("new_ip")),
  revalidate,
  run: async (ctx, { newIp }, { licenseId }) => {
    const { providerStatus } = await changeLicenseIp(ctx, { licenseId, newIp });
    return { pending: providerStatus === "pending" };
  },
});

/** For the dialog's query. Money: minor units of `currency`, as decimal text. */
export const readCoreQuote = defineAction({
  name: "licenses.readCoreQuote",
  bound: z.strictObject(viewedReseller),
  input: z.strictObject({ license_id: parameter.integer, cores }),
  run: async (ctx, change) => {
    const quote = await quoteCoreChange(ctx, change);
    return {
      cores: quote.newCores,
      /** Negative for a credit. Charged exactly if it is confirmed within a minute. */
      price: quote.price.toString(),
      currency: quote.currency,
      /** By how much each renewal then costs more; negative: less. Null: the cycle has no price. */
      renewalChange: quote.renewalChange?.toString() ?? null,
      /** Null for a member of a bundle, which renews with it, and without a price. */
      renewalPrice: quote.renewalPrice?.toString() ?? null,
    };
  },
});

export const changeCores = defineAction({
  name: "licenses.changeCores",
  bound: seenLicense,
  input: z.strictObject({ cores, agreed_price: agreedPrice }),
  revalidate,
  run: async (ctx, change, { licenseId }) => {
    const changed = await changeLicenseCores(ctx, { ...change, licenseId });
    return {
      pending: changed.providerStatus === "pending",
      cores: changed.newCores,
      balanceAfter: changed.balanceAfter.toString(),
      currency: changed.currency,
    };
  },
});

export const setNotes = defineAction({
  name: "licenses.setNotes",
  bound: z.strictObject({ ...viewedReseller, licenseId: id() }),
  input: z.strictObject({ notes: parameter.notes, seenVersion }),
  revalidate,
  run: async (ctx, { notes }, { licenseId }) => {
    const license = await setLicenseNotes(ctx, { licenseId, notes });
    return { notes: license.notes, seenVersion: versionOf([license]) };
  },
});

export const setCustomer = defineAction({
  name: "licenses.setCustomer",
  bound: z.strictObject({ ...viewedReseller, licenseId: id() }),
  input: z.strictObject({
    customerName: parameter.customerName,
    customerEmail: parameter.customerEmail,
    customerReference: parameter.customerReference,
    seenVersion,
  }),
  revalidate,
  run: async (ctx, { seenVersion: _, ...change }, { licenseId }) => {
    const { customerName, customerEmail, customerReference, ...license } = await setLicenseLabels(ctx, {
      licenseId,
      change,
    });
    return { customerName, customerEmail, customerReference, seenVersion: versionOf([license]) };
  },
});

export const setTags = defineAction({
  name: "licenses.setTags",
  bound: z.strictObject({ ...viewedReseller, licenseId: id() }),
  input: z.strictObject({ tags: parameter.tags, seenVersion }),
  revalidate,
  run: async (ctx, { tags }, { licenseId }) => {
    const license = await setLicenseLabels(ctx, { licenseId, change: { tags } });
    return { tags: formatTags(license.tags), seenVersion: versionOf([license]) };
  },
});

export const terminate = defineAction({
  name: "licenses.terminate",
  bound: seenLicense,
  input: z.strictObject({ typed_id: z.string().trim() }),
  revalidate,
  run: async (ctx, { typedId }, { licenseId }) => {
    const id = formatLicenseId(licenseId);
    if (typedId !== id) {
      const details = { typed_id: `Type ${id} to confirm.` };
      throw new DomainError("parameters_invalid", "Check the marked fields.", { details });
    }
    const { providerStatus } = await terminateLicense(ctx, { licenseId });
    return { pending: providerStatus === "pending" };
  },
});
