"use client";
import { useState } from "react";
import type { AgentKeysCreated, KeyRef } from "#components/api-key/api-key.ts";
import { newIdempotencyKey } from "#components/form/idempotency-key.ts";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface EarlierKeysProps extends Pick<AgentKeysCreated, "earlier"> {
  readonly revoke: OnceAction<KeyRef>;
}

/** Hints of more would not be read. */
const MAX_HINTS = 4;

/** Keys made before, of which the server may still use one. */
export function EarlierKeys({ earlier, revoke }: EarlierKeysProps) {
  // Another key adds to those made before, whatever of them was revoked here.
  const [revoked, setRevoked] = useState<readonly number[]>([]);
  const left = earlier.filter(({ apiKeyId }) => !revoked.includes(apiKeyId));
  const [pending, setPending] = useState(false);
  async function revokeAll() {
    setPending(true);
    const done: number[] = [];
    for (const { apiKeyId } of left) {
      const result = await sendSignedIn(revoke, { api_key_id: apiKeyId }, newIdempotencyKey());
      if (result?.ok) done.push(apiKeyId);
    }
    setRevoked([...revoked, ...done]);
    setPending(false);
    toast(
      done.length === left.length
        ? { title: "Earlier keys revoked", tone: "positive" }
        : { title: "Not every key could be revoked", description: "Try again, or use API keys.", tone: "critical" },
    );
  }
  if (left.length === 0) return null;
  return (
    <Banner
      action={
        <Button loading={pending} onClick={() => void revokeAll()} size="sm">
          {left.length === 1 ? "Revoke earlier key" : `Revoke ${left.length} earlier keys`}
        </Button>
      }
      title={left.length === 1 ? "An earlier key still works" : `${left.length} earlier keys still work`}
      tone="caution"
    >
      {left.length <= MAX_HINTS && (
        <>
          <span className="font-mono text-xs">{left.map(({ hint }) => hint).join(", ")}</span>.{" "}
        </>
      )}
      Revoke after the new {left.length === 1 ? "line has" : "lines have"} run: an agent with an earlier key stops
      verifying.
    </Banner>
  );
}
