/** What its owner calls an endpoint; else its URL without the scheme, so that what tells endpoints apart comes first. */
export function endpointName({ url, description }: { readonly url: string; readonly description: string }): string {
  return description === "" ? url.replace(/^https?:\/\//, "").replace(/\/$/, "") : description;
}
