import type { TermBasis } from "./reported-term.ts";

/** Peculiarities of a provider that a comparison has to allow for. */
export interface ProviderTraits {
  readonly terms: TermBasis;
  /** The provider cannot terminate licenses; they are suspended there instead. */
  readonly endsBySuspending: boolean;
}
