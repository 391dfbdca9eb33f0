import type { TermKeeping } from "./told-term.ts";

/** What a provider does in its own way, which a comparison of books must allow for. */
export interface ProviderTraits {
  readonly terms: TermKeeping;
  /** It cannot end a license: one that is ended here is suspended there. */
  readonly endsBySuspending: boolean;
}
