import type { z } from "zod";
import { DomainError } from "#lib/domain/errors.ts";
import { parseLicenseId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { ProviderFault } from "#lib/ports/license-provider.ts";
import { formatNote } from "./dispatch-state.ts";
import type { DispatchTransport } from "./dispatch-transport.ts";
import {
  type LicenseInfo,
  type LicenseListItem,
  licenseInfoSchema,
  licenseListSchema,
  parseReply,
} from "./parse-reply.ts";

type Unreachable = { readonly kind: "unreachable"; readonly message: string; readonly fault?: ProviderFault };
type None = { readonly kind: "none" };

export type Found = { readonly kind: "found"; readonly info: LicenseInfo } | None | Unreachable;
type FoundId = { readonly kind: "found"; readonly licenseId: number } | None | Unreachable;
type Read<Value> = { readonly kind: "read"; readonly value: Value } | None | Unreachable;

/** Reads from the provider; changes nothing there. */
export interface DispatchReader {
  /** Never throws. */
  findLicense(request: ProviderRequest, signal: AbortSignal): Promise<Found>;
  /** Skips the request if we know the provider's identifier. Never throws. */
  findLicenseId(request: ProviderRequest, signal: AbortSignal): Promise<FoundId>;
  /** Never throws. */
  readLicense(licenseId: number): Promise<Read<LicenseInfo>>;
  /** All licenses, page by page. @throws DomainError `provider_unavailable`, `provider_rejected` */
  listLicenses(): AsyncIterable<readonly LicenseListItem[]>;
  /** @throws DomainError `provider_unavailable`, `provider_rejected` */
  read<Schema extends z.ZodType>(operation: string, schema: Schema): Promise<z.output<Schema>>;
}

const PAGE_SIZE = 1000;
/** A page of 1000 licenses with the longest host names fits. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Ten million licenses: what is read is stored until it is compared. */
const MAX_PAGES = 10_000;
/** Our reference is unique; further matches are notes that quote it. */
const SEARCH_LIMIT = 20;

export function createDispatchReader(transport: DispatchTransport, timeoutMs: number): DispatchReader {
  async function ask<Schema extends z.ZodType>(
    call: { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly maxBodyBytes?: number },
    schema: Schema,
    signal: AbortSignal,
  ): Promise<Read<z.output<Schema>>> {
    const answer = parseReply(await transport.send({ method: "GET", ...call, signal }), call.path === "");
    switch (answer.kind) {
      case "data": {
        const parsed = schema.safeParse(answer.data);
        if (parsed.success) return { kind: "read", value: parsed.data };
        return { kind: "unreachable", message: "The provider's response is invalid." };
      }
      case "error":
        if (answer.code === "LICENSE_NOT_FOUND") return { kind: "none" };
        return { kind: "unreachable", message: `The provider rejected the query (${answer.code}).` };
      case "pending":
        return { kind: "unreachable", message: "The provider does not know yet." };
      case "not_sent":
      case "unknown":
        return { ...answer, kind: "unreachable" };
      case "withheld":
        return { kind: "unreachable", message: "The provider was not asked." };
      default:
        return answer satisfies never;
    }
  }

  function requestInfo(licenseId: number, signal: AbortSignal): Promise<Read<LicenseInfo>> {
    const query = { endpoint: "license.info", license_id: String(licenseId) };
    return ask({ path: "", query }, licenseInfoSchema, signal);
  }

  async function findByNote(reference: string, signal: AbortSignal): Promise<Found> {
    const note = formatNote(reference);
    const query = { q: note, limit: String(SEARCH_LIMIT) };
    const page = await ask({ path: "licenses", query }, licenseListSchema, signal);
    if (page.kind !== "read") return page;
    for (const { id } of page.value.licenses) {
      const info = await requestInfo(Number(parseLicenseId(id)), signal);
      if (info.kind === "unreachable") return info;
      if (info.kind === "read" && info.value.notes === note) return { kind: "found", info: info.value };
    }
    return { kind: "none" };
  }

  async function findLicense(request: ProviderRequest, signal: AbortSignal): Promise<Found> {
    const licenseId = parsePositiveInteger(request.providerReference);
    if (licenseId === null) return findByNote(request.reference, signal);
    const info = await requestInfo(licenseId, signal);
    return info.kind === "read" ? { kind: "found", info: info.value } : info;
  }

  return {
    findLicense,

    async findLicenseId(request, signal) {
      const licenseId = parsePositiveInteger(request.providerReference);
      if (licenseId !== null) return { kind: "found", licenseId };
      const found = await findByNote(request.reference, signal);
      return found.kind === "found" ? { kind: "found", licenseId: found.info.license_id } : found;
    },

    readLicense: (licenseId) => requestInfo(licenseId, AbortSignal.timeout(timeoutMs)),

    async *listLicenses() {
      let lastFirstId = 0;
      let pages = 0;
      for (let cursor: string | null = ""; cursor !== null; ) {
        const query: Record<string, string> = { limit: String(PAGE_SIZE), ...(cursor === "" ? {} : { cursor }) };
        const call = { path: "licenses", query, maxBodyBytes: MAX_PAGE_BYTES };
        const page = expectRead(await ask(call, licenseListSchema, AbortSignal.timeout(timeoutMs)));
        if (page.licenses.length === 0 && page.next_cursor === null) return;
        const firstId = Number(parseLicenseId(page.licenses[0]?.id ?? "") ?? 0);
        // The list is oldest first (contract 2.4). One that goes back may never end.
        if (cursor !== "" && firstId <= lastFirstId) {
          throw new DomainError("provider_unavailable", "The provider's list of licenses repeats itself.");
        }
        pages += 1;
        if (pages > MAX_PAGES) {
          throw new DomainError("provider_unavailable", "The provider's list of licenses does not end.");
        }
        yield page.licenses;
        lastFirstId = firstId;
        cursor = page.next_cursor;
      }
    },

    async read(operation, schema) {
      return expectRead(
        await ask({ path: "", query: { endpoint: operation } }, schema, AbortSignal.timeout(timeoutMs)),
      );
    },
  };
}

function expectRead<Value>(read: Read<Value>): Value {
  if (read.kind === "read") return read.value;
  throw new DomainError("provider_unavailable", read.kind === "none" ? "The provider does not have it." : read.message);
}
