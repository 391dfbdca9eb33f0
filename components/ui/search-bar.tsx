"use client";
import type { ReactNode } from "react";
import { searchParams } from "./list-params.ts";
import { ListSearch, type ListSearchProps } from "./list-search.tsx";
import { useListParams } from "./use-list-params.ts";

/** For lists whose only state in a form is the search; beside it, links that filter. */
export function SearchBar({ children, ...props }: Omit<ListSearchProps, "list"> & { readonly children?: ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch list={useListParams(searchParams)} {...props} />
      {children}
    </div>
  );
}
