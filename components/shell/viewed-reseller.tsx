"use client";
import { createContext, type ReactNode, use } from "react";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ViewedReseller {
  readonly id: number;
  readonly name: string;
  /** Absent where nobody is asked to. */
  readonly actAs?: OnceAction<undefined>;
}

const Viewed = createContext<ViewedReseller | null>(null);

/** Around what an admin sees of a reseller; null: the reader's own. Dialogs then name the reseller. */
export function ViewedResellerProvider(props: {
  readonly reseller: ViewedReseller | null;
  readonly children: ReactNode;
}) {
  return <Viewed value={props.reseller}>{props.children}</Viewed>;
}

export function useViewedReseller(): ViewedReseller | null {
  return use(Viewed);
}
