import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import type { KeyShown } from "./api-key.ts";

/** The one look at a key, and at its signing secret if it has one. */
export function KeyReveal({ apiKey, signingSecret }: Pick<KeyShown, "apiKey" | "signingSecret">) {
  if (apiKey === null) return <KeyLost />;
  return (
    <div className="flex flex-col gap-4">
      <CopyText copyLabel="Copy API key" label="API key" primary value={apiKey} />
      {signingSecret !== null && (
        <CopyText copyLabel="Copy signing secret" label="Signing secret" primary value={signingSecret} />
      )}
      <Banner
        title={
          signingSecret === null ? "Copy it now: it is not shown again" : "Copy both now: they are not shown again"
        }
        tone="caution"
      >
        Anyone who has the key can do what it allows: keep it on servers, never in a page or an app. If it is lost or
        leaked, rotate it.
      </Banner>
      <p className="text-sm text-text-muted">
        Send the API key as <code className="whitespace-nowrap font-mono text-xs">Authorization: Bearer …</code> to the
        path interface, or as <code className="whitespace-nowrap font-mono text-xs">X-API-Key: …</code> to the dispatch
        interface.
        {signingSecret !== null && " The signing secret is never sent: your program signs requests with it."}
      </p>
    </div>
  );
}

/** It was made, but the answer that carried it never arrived. */
function KeyLost() {
  return (
    <Banner title="The response with the key was lost" tone="caution">
      The key was created, but no one has seen it and it cannot be shown again. Revoke it on its page, and create
      another.
    </Banner>
  );
}
