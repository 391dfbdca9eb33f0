import { Banner } from "#components/ui/banner.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { KeyDetails } from "./api-key.ts";

/** Why a key does not work, or will not for much longer; nothing while all is well. */
export function KeyNotice({ keyDetails }: { readonly keyDetails: KeyDetails }) {
  const { state, expiresAt, revokedAt, successorHref } = keyDetails;
  const successor = successorHref !== null && (
    <>
      {" "}
      <TextLink href={successorHref}>The new key</TextLink> took its place.
    </>
  );
  switch (state) {
    case "active":
      return null;
    case "ending":
      return (
        <Banner title={successorHref === null ? "This key ends soon" : "This key was rotated"} tone="caution">
          {expiresAt && (
            <>
              It works until <Timestamp value={expiresAt} />, then requests with it are refused. The log below shows
              whether anything still uses it.{successor}
            </>
          )}
        </Banner>
      );
    case "expired":
      return (
        <Banner title="This key has expired" tone="info">
          {expiresAt && (
            <>
              It ended on <Timestamp value={expiresAt} />. Requests with it are refused.{successor}
            </>
          )}
        </Banner>
      );
    case "revoked":
      return (
        <Banner title="This key is revoked" tone="info">
          {revokedAt && (
            <>
              Since <Timestamp value={revokedAt} /> every request with it is refused.{successor}
            </>
          )}
        </Banner>
      );
    default:
      return state satisfies never;
  }
}
