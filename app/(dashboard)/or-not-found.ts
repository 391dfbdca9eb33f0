import { notFound } from "next/navigation";
import { isDomainError } from "#lib/domain/errors.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";

const NOT_FOUND_CODES: ReadonlySet<string> = new Set(["not_found", "license_not_found", "bundle_instance_not_found"]);

/** The id in a page's address; 0, which nothing has, if it has none. */
export function idIn<Id extends number>(segment: string): Id {
  return (parsePositiveInteger(segment) ?? 0) as Id;
}

/** What a page is about. Another reseller's is not found, as if there were none (contract 1.12). */
export async function orNotFound<Value>(search: Promise<Value>): Promise<Value> {
  try {
    return await search;
  } catch (error) {
    if (isDomainError(error) && NOT_FOUND_CODES.has(error.code)) notFound();
    throw error;
  }
}

/** An open operation; null once it is deleted: the provider never received it. */
export async function orNull<Operation>(search: Promise<Operation>): Promise<Operation | null> {
  try {
    return await search;
  } catch (error) {
    if (isDomainError(error) && error.code === "operation_not_found") return null;
    throw error;
  }
}

/** The prices of a renewal; none where it cannot be renewed. */
export async function orNone<Quote>(quotes: Promise<readonly Quote[]>): Promise<readonly Quote[]> {
  try {
    return await quotes;
  } catch (error) {
    if (isDomainError(error) && error.code === "state_invalid") return [];
    throw error;
  }
}
