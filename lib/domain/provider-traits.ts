import type { TermBasis } from "./reported-term.ts";

/** Peculiarities of a provider that a comparison has to allow for. */
export interface ProviderTraits {
  readonly terms: TermBasis;
  /** The provider may not terminate a license; it is suspended there instead. */
  readonly endsBySuspending: boolean;
}
