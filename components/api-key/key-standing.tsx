import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { KeyDetails } from "./api-key.ts";

/** Why a key does not work, or will not for much longer; nothing while all is well. */
export function KeyStanding({ keyDetails: { state, expiresAt, revokedAt } }: { readonly keyDetails: KeyDetails }) {
  switch (state) {
    case "active":
      return null;
    case "ending":
      return (
        <Banner title="This key ends soon" tone="caution">
          {expiresAt && (
            <>
              It works until <Timestamp value={expiresAt} />. What still sends it then is refused; the log below shows
              whether anything does.
            </>
          )}
        </Banner>
      );
    case "expired":
      return (
        <Banner title="This key has expired" tone="info">
          {expiresAt && (
            <>
              It ended on <Timestamp value={expiresAt} />. Requests with it are refused.
            </>
          )}
        </Banner>
      );
    case "revoked":
      return (
        <Banner title="This key is revoked" tone="info">
          {revokedAt && (
            <>
              Since <Timestamp value={revokedAt} /> every request with it is refused.
            </>
          )}
        </Banner>
      );
    default:
      return state satisfies never;
  }
}
