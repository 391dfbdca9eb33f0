"use client";
import { Eye } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { type ActionResult, requireValue } from "#lib/domain/action-result.ts";
import { ModeBanner } from "./mode-banner.tsx";

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
      toast({
        title: "You may still act as this reseller",
        description: "Stopping was not confirmed. Try again.",
        tone: "critical",
        subject: "acting",
      });
    }
  }

  return (
    <ModeBanner
      button={
        <Button loading={pending} onClick={leave} size="sm">
          Stop
        </Button>
      }
      icon={Eye}
      label="Acting as a reseller"
      short={
        <>
          Acting as <strong className="wrap-anywhere line-clamp-2 font-semibold">{name}</strong>
        </>
      }
    >
      You act as <strong className="wrap-anywhere font-semibold">{name}</strong>
      <span className="text-text-muted max-lg:hidden">
        {" "}
        until <Timestamp value={until} />. Your changes apply to their account and are logged under your name.
      </span>
    </ModeBanner>
  );
}
