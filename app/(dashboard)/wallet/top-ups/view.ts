import { hrefOf, textOf } from "#app/search-params.ts";
import { type TopUpState, topUpStates } from "#components/wallet/top-up-request.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";

/** Which requests a list shows. `before`: those older than this one. */
export interface TopUpView {
  readonly state: TopUpState | null;
  readonly before: number | null;
}

export function parseTopUpView(
  query: Readonly<Record<string, string | string[] | undefined>>,
  defaultState: TopUpState | null,
): TopUpView {
  const text = textOf(query.state);
  const state = text === "any" ? null : (topUpStates.find((known) => known === text) ?? defaultState);
  return { state, before: parsePositiveInteger(textOf(query.before)) };
}

/** The list of a state; `any` is written out, because one list begins with those that wait. */
export function topUpsHref(pathname: string, state: TopUpState | null, before: number | null = null): string {
  return hrefOf(pathname, { state: state ?? "any", before });
}
