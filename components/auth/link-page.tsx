"use client";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { Card } from "#components/ui/card.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

/** After an answer that was lost: reloading would not help, since the token is no longer in the address. */
export const LINK_ADVICE = "try again; if it says that the link no longer works, it has been done";

export interface LinkPageProps<Subject> {
  /** What the link is about; null: it no longer works. */
  readonly read: OnceAction<{ readonly token: string }, Subject | null>;
  /** Leads to another link when this one no longer works. */
  readonly renewal?: ReactNode;
  readonly children: (token: string, subject: Subject) => ReactNode;
}

type State<Subject> =
  | { readonly kind: "reading" }
  | { readonly kind: "unreadable"; readonly message: string }
  | { readonly kind: "over" }
  /** The address has no token: the page was reloaded, or the link was not copied whole. */
  | { readonly kind: "incomplete" }
  | { readonly kind: "open"; readonly token: string; readonly subject: Subject };

/** The page of a link, whose token is in the fragment of its address. */
export function LinkPage<Subject>({ read, renewal, children }: LinkPageProps<Subject>) {
  const [state, setState] = useState<State<Subject>>({ kind: "reading" });
  const newest = useRef<Promise<State<Subject>>>(null);
  useEffect(() => {
    const open = () => {
      const answer = readState(read);
      newest.current = answer;
      void answer.then((found) => newest.current === answer && setState(found));
    };
    if (newest.current === null) open();
    // Another link that is opened here loads no page.
    window.addEventListener("hashchange", open);
    return () => window.removeEventListener("hashchange", open);
  }, [read]);
  switch (state.kind) {
    case "reading":
      return (
        <div className="self-center">
          <Spinner />
        </div>
      );
    case "unreadable":
      return (
        <>
          <LinkTitle>The link could not be checked</LinkTitle>
          <ErrorState description={state.message} title="Nothing was changed" />
        </>
      );
    case "over":
      return (
        <>
          <LinkTitle>This link no longer works</LinkTitle>
          <Card>
            <p className="text-text-muted">It was already used, has expired, or your password has changed since.</p>
            {renewal}
          </Card>
        </>
      );
    case "incomplete":
      return (
        <>
          <LinkTitle>Open the link again</LinkTitle>
          <Card>
            <p className="text-text-muted">
              This page keeps the link out of the address, so a reload loses it. Nothing was changed: open the whole
              link once more from where you got it.
            </p>
          </Card>
        </>
      );
    case "open":
      return <Fragment key={state.token}>{children(state.token, state.subject)}</Fragment>;
    default:
      return state satisfies never;
  }
}

export function LinkTitle({ children }: { readonly children: string }) {
  return <h1 className="text-center font-semibold text-xl tracking-tight">{children}</h1>;
}

async function readState<Subject>(read: LinkPageProps<Subject>["read"]): Promise<State<Subject>> {
  const token = window.location.hash.slice(1);
  // Until its own effects have run, Next does not hear of it and would show the token again later.
  await null;
  // Neither the history nor a screenshot keeps it.
  window.history.replaceState(null, "", window.location.pathname);
  if (token === "") return { kind: "incomplete" };
  try {
    const result = await read({ token });
    if (!result.ok) return { kind: "unreadable", message: result.error.message };
    return result.value === null ? { kind: "over" } : { kind: "open", token, subject: result.value };
  } catch {
    return { kind: "unreadable", message: "The server did not answer. Open the link again." };
  }
}
