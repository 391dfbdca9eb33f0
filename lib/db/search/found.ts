import { as, int, nullable, text } from "#lib/db/connection/columns.ts";
import { licenseFacts } from "#lib/db/license/facts.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** Objects that one search finds at most, of each kind. */
export const MAX_FOUND = 6;

/** What a search shows of an object. */
export const foundRow = {
  /** As links name it. */
  id: text,
  label: text,
  detail: text,
  /** Its reseller; null for an admin. */
  resellerId: nullable(as<ResellerId>(int)),
  resellerName: nullable(text),
};

export const foundUnitRow = { ...foundRow, ...licenseFacts, notes: text };

/** `null`: any live reseller. The parameter is `$1`, the reseller's alias `r`. */
export const ofReseller = "($1::int is null and r.sandbox_of is null or r.id = $1)";

export const resellerColumns = `r.id as "resellerId", r.name as "resellerName"`;
