import { Banner } from "#components/ui/banner.tsx";
import { SecretText } from "#components/ui/secret-text.tsx";
import type { KeyShown } from "./api-key.ts";

/** The one look at a key, and at its signing secret if it has one. */
export function KeyReveal({ apiKey, signingSecret }: Pick<KeyShown, "apiKey" | "signingSecret">) {
  if (apiKey === null) return <KeyLost />;
  return (
    <div className="flex flex-col gap-4">
      <SecretText copyLabel="Copy API key" label="API key" value={apiKey} />
      {signingSecret !== null && (
        <SecretText copyLabel="Copy signing secret" label="Signing secret" value={signingSecret} />
      )}
      <Banner title="Copy it now: it is not shown again" tone="caution">
        Whoever has it can do what it allows: keep it on servers, never in a page or an app. If it gets lost or known,
        rotate the key.
      </Banner>
      <p className="text-sm text-text-muted">
        Send it as <code className="whitespace-nowrap font-mono text-xs">Authorization: Bearer …</code> on the path
        interface, as <code className="whitespace-nowrap font-mono text-xs">X-API-Key: …</code> on the dispatch
        interface.
      </p>
    </div>
  );
}

/** It was made, but the answer that carried it never arrived. */
function KeyLost() {
  return (
    <Banner title="The answer with the key got lost" tone="caution">
      The key was made, but nobody has it, and it is not shown again. Revoke it on its page, and create another.
    </Banner>
  );
}
