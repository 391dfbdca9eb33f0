import { Fragment } from "react";

/** A URL or another text without spaces, which breaks after `/`, `.`, `?` and `&` before it breaks within a word. */
export function UrlText({ children }: { readonly children: string }) {
  return children.split(/(?<=[/.?&])(?=[^/.?&])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
