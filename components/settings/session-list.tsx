"use client";
import { useState } from "react";
import type { endSession } from "#app/(dashboard)/settings/actions.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { SessionLine } from "./settings.ts";

export interface SessionListProps {
  readonly sessions: readonly SessionLine[];
  readonly end: typeof endSession;
}

/** Where the reader is signed in; each but this one can be signed out. */
export function SessionList({ sessions, end }: SessionListProps) {
  const [endingId, setEndingId] = useState<string | null>(null);
  const { pending, failure, send } = useSubmission(end, () =>
    toast({ title: "Signed out", description: "That browser has to sign in again.", tone: "positive" }),
  );
  return (
    <>
      <ul className="divide-y border-t">
        {sessions.map(({ id, current, browser, address, createdAt, lastUsedAt }) => (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm" key={id}>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 font-medium">
                {browser}
                {current && <Badge tone="positive">This one</Badge>}
              </p>
              <p className="text-text-muted" id={`${id}-since`}>
                {address === "" ? "Unknown address" : <span className="font-mono text-xs">{address}</span>}, signed in{" "}
                <Timestamp value={createdAt} />, last used <Timestamp format="relative" value={lastUsedAt} />
              </p>
            </div>
            {!current && (
              <Button
                aria-describedby={`${id}-since`}
                aria-label={`Sign out ${browser}`}
                disabled={pending && endingId !== id}
                loading={pending && endingId === id}
                onClick={() => {
                  setEndingId(id);
                  void send({ session_id: id });
                }}
                size="sm"
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {failure && (
        <div className="px-4 pb-4">
          <SubmissionError failure={failure} refusalNote="Load the page again to see which sessions there are." />
        </div>
      )}
    </>
  );
}
