import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { isDomainError } from "#lib/domain/errors.ts";

const NOT_FOUND_CODES: ReadonlySet<string> = new Set(["not_found", "license_not_found", "bundle_instance_not_found"]);

/** What a page is about. Another reseller's is not found, as if there were none (decisions 1.12). */
export async function found<Value>(search: Promise<Value>): Promise<Value> {
  try {
    return await search;
  } catch (error) {
    if (isDomainError(error) && NOT_FOUND_CODES.has(error.code)) notFound();
    throw error;
  }
}

interface SegmentProps<Params> {
  readonly children: ReactNode;
  readonly params: Promise<Params>;
}

/**
 * The layout of a folder whose pages are about one thing: asks for it before anything is sent, because an answer that
 * has begun with a page's loading state cannot become a 404. `find` is a `cache`: the page asks again, and gets the same.
 * No folder above it may have a loading state, so those of lists are in a group of their own.
 */
export function existing<Params>(find: (params: Params) => Promise<unknown>) {
  return async function Existing({ children, params }: SegmentProps<Params>) {
    await find(await params);
    return children;
  };
}
