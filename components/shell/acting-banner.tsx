"use client";
import { Eye } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { type ActionResult, requireValue } from "#lib/domain/action-result.ts";

export interface ActingBannerProps {
  /** The reseller. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  /** Where to go afterwards. */
  readonly backHref: string;
  /** A server action; throws when it was not done. */
  readonly stop: () => Promise<ActionResult<unknown>>;
}

/** On every page while an admin acts as a reseller. */
export function ActingBanner({ name, until, backHref, stop }: ActingBannerProps) {
  const [pending, setPending] = useState(false);

  async function leave() {
    setPending(true);
    try {
      requireValue(await stop());
      // A page load, not a navigation: nothing of the reseller stays in memory.
      window.location.assign(backHref);
    } catch {
      setPending(false);
    }
  }

  return (
    <section aria-label="Acting as a reseller" className="border-b border-caution/40 bg-caution-soft text-sm">
      <div className="mx-auto flex min-h-10 max-w-6xl items-center gap-4 px-4 py-1 md:px-8">
        <p className="flex min-w-0 flex-1 items-center gap-2">
          <Eye aria-hidden className="size-4 shrink-0 text-caution" />
          <span>
            You act as <strong className="wrap-anywhere font-semibold">{name}</strong>
            <span className="text-text-muted max-lg:hidden">
              {" "}
              until <Timestamp value={until} />. What you change is theirs, and is logged under your name.
            </span>
          </span>
        </p>
        <Button loading={pending} onClick={leave} size="sm">
          Stop
        </Button>
      </div>
    </section>
  );
}
