export const productHref = (id: number) => `/catalog/products/${id}`;
export const bundleHref = (id: number) => `/catalog/bundles/${id}`;

/** What a cycle is of. */
export interface OwnerView {
  /** One of the two. */
  readonly product_id?: number;
  readonly bundle_id?: number;
  readonly name: string;
  readonly coreMetered: boolean;
  /** Whether the provider has cycles of its own, as every one with the dispatch interface has. */
  readonly providerCycles: boolean;
}
