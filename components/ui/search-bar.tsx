"use client";
import { searchParams } from "./list-params.ts";
import { ListSearch, type ListSearchProps } from "./list-search.tsx";
import { useListParams } from "./use-list-params.ts";

/** For lists that are searched and not filtered. */
export function SearchBar(props: Omit<ListSearchProps, "list">) {
  return (
    <div className="mb-3">
      <ListSearch list={useListParams(searchParams)} {...props} />
    </div>
  );
}
