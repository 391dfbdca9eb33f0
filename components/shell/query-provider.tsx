"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";

const STALE_AFTER_MS = 30_000;

function sorted(query: URLSearchParams): URLSearchParams {
  query.sort();
  return query;
}

/** What the browser keeps across pages: of the server's state, e.g. the balance, and of lists, in the URL. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: STALE_AFTER_MS, retry: 1 } } }),
  );
  return (
    <NuqsAdapter processUrlSearchParams={sorted}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </NuqsAdapter>
  );
}
