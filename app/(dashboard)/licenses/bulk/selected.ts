import type { z } from "zod";
import { filterOf } from "#app/(dashboard)/licenses/view.ts";
import { loadLicenseParams } from "#components/license/license-params.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { LicenseSelection } from "#lib/services/bulk/license-plan.ts";
import { getSelectionOwner } from "#lib/services/bulk/selection-owner.ts";
import { onBehalfOf, type ServiceContext } from "#lib/services/context.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import type { selectionSchema } from "./action-schemas.ts";

type Sent = z.output<typeof selectionSchema>;

export interface Selected {
  /** Of the user; an admin's acts for the reseller of the selection. */
  readonly ctx: ServiceContext;
  readonly selection: LicenseSelection;
  /** For admins: whose licenses they are. */
  readonly reseller: { readonly id: ResellerId; readonly name: string } | null;
}

/** What is selected, and for admins whose it is: a job belongs to one reseller. */
export async function readSelected(ctx: ServiceContext, sent: Sent): Promise<Selected> {
  const { resellerId, selection } = "ids" in sent ? ofIds(sent.ids) : ofSearch(sent.search);
  if (ctx.actor.kind !== "admin") return { ctx, selection, reseller: null };
  const reseller =
    "licenseIds" in selection ? await getSelectionOwner(ctx, selection) : await requireFiltered(ctx, resellerId);
  return { ctx: onBehalfOf(ctx, reseller.id, []), selection, reseller };
}

function ofIds(licenseIds: readonly number[]) {
  return { resellerId: null, selection: { licenseIds } };
}

function ofSearch(search: string) {
  const { resellerId, filter } = readSearch(search);
  return { resellerId, selection: { filter } };
}

async function requireFiltered(ctx: ServiceContext, id: ResellerId | null) {
  if (id === null) throw new DomainError("state_invalid", "Filter by a reseller first: a job changes licenses of one.");
  return { id, name: (await getReseller(onBehalfOf(ctx, id, []))).name };
}

/** @param search the query of the list's page */
export function readSearch(search: string) {
  const view = loadLicenseParams(new URLSearchParams(search));
  return { filter: filterOf(view), resellerId: view.reseller as ResellerId | null };
}
