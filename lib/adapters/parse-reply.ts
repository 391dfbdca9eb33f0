import { z } from "zod";
import { clip } from "#lib/domain/text.ts";
import type { ProviderOutcome } from "#lib/ports/license-provider.ts";
import type { DispatchReply } from "./dispatch-transport.ts";

const MESSAGE_MAX_LENGTH = 300;

/** Of both interfaces (path-interface.md#errors, contract 3.1). */
const rejection = z
  .object({
    code: z.string().min(1).max(100),
    message: z.string(),
    details: z.object({ reason: z.unknown() }).catch({ reason: null }),
    success: z.unknown(),
    error: z.unknown(),
  })
  .refine(({ success, error }) => success === false || error === true);

const envelope = z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) });

const amount = z.number().nonnegative();

/** `operation_id`: set while a change of the license is open at the provider. */
export const licenseInfoSchema = z.object({
  license_id: z.number().int().positive(),
  ip_address: z.string(),
  status: z.string(),
  expires_at: z.iso.datetime(),
  cores: z.int32().nullable(),
  notes: z.string().default(""),
  operation_id: z.string().optional(),
});
export type LicenseInfo = z.output<typeof licenseInfoSchema>;

export const licenseListSchema = z.object({
  licenses: z.array(
    z.object({
      id: z.string().regex(/^lic_[1-9]\d{0,9}$/),
      type: z.string(),
      status: z.string(),
      expires: z.iso.date(),
      server: z.string(),
    }),
  ),
  next_cursor: z.string().nullable().default(null),
});
export type LicenseListItem = z.output<typeof licenseListSchema>["licenses"][number];

export const chargeSchema = z.object({ price: z.number(), currency: z.string().length(3) });
export const dryRunSchema = z.object({ dry_run: z.literal(true), price: z.number(), balance_after: z.number() });
export const registrationSchema = z.object({ license_id: z.number().int().positive() });
export const balanceSchema = z.object({ balance: z.number(), currency: z.string().length(3) });
export const productsSchema = z.object({
  products: z.array(
    z.object({
      product_id: z.number().int().positive(),
      name: z.string().min(1),
      type: z.string().min(1),
      core_metered: z.boolean(),
      workers: z.int32().nonnegative(),
      cycles: z.array(
        z.object({
          cycle_id: z.number().int().positive(),
          name: z.string().min(1),
          months: z.int32().positive(),
          price: amount,
          setup_fee: amount,
          price_per_core: amount.nullable(),
          currency: z.string().length(3),
        }),
      ),
    }),
  ),
});

/** A parsed reply, independent of the request. */
export type ParsedReply =
  | { readonly kind: "data"; readonly data: unknown }
  /**
   * 202: the provider does not know yet (contract 3.11). `replayed`: a stored response, so the outcome may be known by
   * now.
   */
  | { readonly kind: "pending"; readonly replayed: boolean }
  | {
      readonly kind: "error";
      readonly code: string;
      readonly status: number;
      readonly message: string;
      /** A live license has the address (contract 3.3, 3.5). */
      readonly isAddressTaken: boolean;
      readonly replayed: boolean;
    }
  | Exclude<DispatchReply, { readonly kind: "answered" }>;

/** @param enveloped whether `data` is in the dispatch interface's envelope; the path interface has none */
export function parseReply(reply: DispatchReply, enveloped = true): ParsedReply {
  if (reply.kind !== "answered") return reply;
  const { status, body } = reply;
  const unreadable: ParsedReply = { kind: "unknown", message: `The provider's response (${status}) is invalid.` };
  if (status === 200 || status === 202) {
    if (!enveloped) return status === 200 ? { kind: "data", data: body } : unreadable;
    const parsed = envelope.safeParse(body);
    if (!parsed.success) return unreadable;
    return status === 200 ? { kind: "data", data: parsed.data.data } : { kind: "pending", replayed: reply.replayed };
  }
  if (status < 400) return unreadable;
  const parsed = rejection.safeParse(body);
  if (!parsed.success) return unreadable;
  const { code, message, details } = parsed.data;
  const isAddressTaken = details.reason === "address_taken";
  return { kind: "error", status, code, message, isAddressTaken, replayed: reply.replayed };
}

/** Errors about our account or our copy of the catalog, which customers are not shown. */
const accountCodes: ReadonlySet<string> = new Set([
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "NO_PERMISSION",
  "INSUFFICIENT_BALANCE",
  "UNKNOWN_ENDPOINT",
  "METHOD_NOT_ALLOWED",
  "UNSUPPORTED_MEDIA_TYPE",
  "PAYLOAD_TOO_LARGE",
  "IDEMPOTENCY_KEY_REUSED",
  "PRODUCT_NOT_FOUND",
  "CYCLE_NOT_FOUND",
]);

/** In place of a text that may name the provider's ids, which mean something else to our customers. */
const ownMessages: ReadonlyMap<string, string> = new Map([
  ...[...accountCodes].map((code) => [code, "The provider does not accept this from us."] as const),
  ["REGISTRATION_FAILED", "The provider rejected the registration."],
  ["IP_CHANGE_FAILED", "The provider rejected the change of address."],
  ["INVALID_STATE", "The license's state at the provider forbids this."],
  ["LICENSE_NOT_FOUND", "The provider has no such license."],
]);

const ADDRESS_TAKEN = "The provider does not accept this address for this product.";

/** Outcome of a rejected write (contract 3.11, 3.13): "ask" if only the provider's state can tell. */
export function classifyRejection(answer: Extract<ParsedReply, { kind: "error" }>): ProviderOutcome | "ask" {
  const { status, code } = answer;
  if (status === 429) {
    const accountProblem = `${code}: ${clip(answer.message.trim(), MESSAGE_MAX_LENGTH)}`;
    return { kind: "not_sent", message: "The provider is rate limiting requests at the moment.", accountProblem };
  }
  // The same request is still in progress.
  if (code === "IDEMPOTENCY_IN_PROGRESS") return { kind: "unknown", message: "The provider is still processing it." };
  if (code === "OPERATION_IN_PROGRESS") {
    return { kind: "not_sent", message: "The provider is still processing another change of this license." };
  }
  if (status < 500) {
    const message = clip(answer.message.trim(), MESSAGE_MAX_LENGTH) || "The provider rejected the request.";
    if (answer.isAddressTaken) return { kind: "rejected", message: ADDRESS_TAKEN, refusesAddress: true };
    const own = ownMessages.get(code);
    if (own === undefined) return { kind: "rejected", message };
    const text = `${code}: ${message}`;
    return { kind: "rejected", message: own, ...(accountCodes.has(code) ? { accountProblem: text } : { note: text }) };
  }
  if (status === 503 && code === "PROVIDER_UNAVAILABLE") {
    return { kind: "not_sent", message: "The provider cannot reach its own provider." };
  }
  // Its database was unavailable: usually before the change, but possibly right after.
  if (status === 503 && code === "UNAVAILABLE") return "ask";
  return { kind: "unknown", message: `The provider failed (${status}).` };
}
