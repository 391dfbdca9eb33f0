"use client";
import { useState } from "react";
import type { revoke } from "#app/(dashboard)/api-keys/actions.ts";
import { newIdempotencyKey } from "#components/form/idempotency-key.ts";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { Bound } from "#lib/domain/action-result.ts";

export interface EarlierKeysProps {
  readonly earlier: readonly { readonly apiKeyId: number; readonly hint: string }[];
  readonly revoke: Bound<typeof revoke>;
}

/** Hints of more would not be read. */
const MAX_HINTS = 4;

/** Keys made before the newest one, of which the server may still use one. */
export function EarlierKeys({ earlier, revoke }: EarlierKeysProps) {
  const [pending, setPending] = useState(false);
  async function revokeAll() {
    setPending(true);
    let failures = 0;
    for (const { apiKeyId } of earlier) {
      const result = await sendSignedIn(revoke, { api_key_id: apiKeyId }, newIdempotencyKey());
      if (!result?.ok) failures += 1;
    }
    setPending(false);
    toast(
      failures === 0
        ? { title: "Earlier keys revoked", tone: "positive" }
        : { title: "Not every key could be revoked", description: "Try again, or use API keys.", tone: "critical" },
    );
  }
  const isOne = earlier.length === 1;
  return (
    <Banner
      action={
        <Button loading={pending} onClick={() => void revokeAll()} size="sm">
          {isOne ? "Revoke earlier key" : `Revoke ${earlier.length} earlier keys`}
        </Button>
      }
      title={isOne ? "An earlier key still works" : `${earlier.length} earlier keys still work`}
      tone="caution"
    >
      {earlier.length <= MAX_HINTS && (
        <>
          <span className="font-mono text-xs">{earlier.map(({ hint }) => hint).join(", ")}</span>.{" "}
        </>
      )}
      Revoke after the new {isOne ? "line has" : "lines have"} run: an agent with an earlier key stops verifying.
    </Banner>
  );
}
