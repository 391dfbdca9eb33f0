/** What a list is asked for, ahead of the address, which follows once the list has been fetched. */
export interface WantedQuery {
  /** Of the newest question, as in an address: `q=web&status=active`. */
  readonly query: string;
  /** Changes when the text searched for becomes another than what was typed: the input then starts anew. */
  readonly version: number;
}

/** Null, or empty, takes a parameter out. */
export type QueryChange = Readonly<Record<string, string | number | null>>;

/** In the order of the names, so that equal questions are equal texts. */
export function changeQuery(query: string, change: QueryChange): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === "") parameters.delete(name);
    else parameters.set(name, String(value));
  }
  parameters.sort();
  return parameters.toString();
}

export function searchedText(query: string): string {
  return new URLSearchParams(query).get("q") ?? "";
}

/** `anew`: what is in the input goes, too, even if it has not been asked for yet. */
export function ask({ version }: WantedQuery, query: string, { anew }: { readonly anew: boolean }): WantedQuery {
  return { query, version: anew ? version + 1 : version };
}

/**
 * @param shown what the address says
 * @param pending an answer to the newest question is still to come: whatever is shown until then answers an older one
 */
export function settle(wanted: WantedQuery, shown: string, pending: boolean): WantedQuery {
  if (pending || shown === wanted.query) return wanted;
  // Gone back, or a link somewhere else on the page.
  const sameText = searchedText(shown) === searchedText(wanted.query);
  return { query: shown, version: sameText ? wanted.version : wanted.version + 1 };
}
