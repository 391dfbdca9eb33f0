import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import { Turns } from "#lib/domain/turns.ts";
import type { LicenseProvider, LookUpOptions, ProviderLookUp, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { amountToText, createDispatchAccount } from "./dispatch-account.ts";
import { readDispatchBooks, readDispatchDetails } from "./dispatch-books.ts";
import { createPreflight, type Write } from "./dispatch-preflight.ts";
import { createDispatchReader, type Found } from "./dispatch-reader.ts";
import { formatNote, traceRequest } from "./dispatch-state.ts";
import { createDispatchTransport, type DispatchAccess, MAX_CONNECTIONS } from "./dispatch-transport.ts";
import { chargeSchema, classifyRejection, type ParsedReply, parseReply, registrationSchema } from "./parse-reply.ts";
import { RateShare } from "./rate-share.ts";
import { voidRequestKey } from "./void-request-key.ts";

export interface DispatchProviderOptions extends DispatchAccess {
  readonly name: string;
  /** For a whole request, including its look-ups. */
  readonly timeoutMs: number;
}

/** Share of `timeoutMs`: a slower connection would leave no time for the response. */
const CONNECT_SHARE = 0.6;
/** Fewer than there are connections: the reconciler's look-ups wait for no operation. */
const OPERATIONS_AT_ONCE = MAX_CONNECTIONS - 4;
/** One reseller's slow operations leave a third to the others. */
const OPERATIONS_OF_ONE = 8;
/** Part of `timeoutMs` that an operation waits for its turn. */
const PATIENCE_SHARE = 0.5;
/** Of one account (contract 1.12). */
const ADDRESS_LOOKUP_LIMIT = 200;
/** Sent with the suspension of a license that the provider does not terminate. */
const TERMINATION_REASON = "Terminated by the reseller";
/** Our key lacks `licenses:terminate`; a provider without that operation; a license that ended or is in a bundle there. */
const notTerminated: ReadonlySet<string> = new Set(["NO_PERMISSION", "UNKNOWN_ENDPOINT", "INVALID_STATE"]);

function refusalOf({ action, product, cycle, cores, previousExpiresAt }: ProviderRequest): string | null {
  const sellsCycle = parsePositiveInteger(cycle) !== null;
  if (action === "provision") {
    if (parsePositiveInteger(product) === null || !sellsCycle) {
      return "The provider does not sell this product for this term.";
    }
    // The interface registers one core, like ours; more are a separate change.
    return (cores ?? 1) > 1 ? "The provider starts every license with one core." : null;
  }
  if (action !== "set_term") return null;
  // A revert of a renewal has no previous end. The interface has no such operation.
  if (previousExpiresAt === null) return "The provider does not revert renewals.";
  // Without a cycle the provider would sell its own current one, of another length and price.
  return sellsCycle ? null : "The provider does not sell this term.";
}

/**
 * A provider behind the dispatch interface, for instance another License Desk. It identifies a license by its
 * `license_id`, our provider reference, and finds it by our reference in the notes (docs/decisions/0007).
 */
export function createDispatchProvider(options: DispatchProviderOptions): LicenseProvider {
  const { name, timeoutMs } = options;
  const patienceMs = timeoutMs * PATIENCE_SHARE;
  const turns = new Turns({ slots: OPERATIONS_AT_ONCE, slotsOfOne: OPERATIONS_OF_ONE, patienceMs });
  const rateShare = new RateShare(turns, patienceMs);
  const access = { ...options, onAnswer: rateShare.noteAnswer.bind(rateShare) };
  const transport = createDispatchTransport(access, Math.ceil(timeoutMs * CONNECT_SHARE));
  const reader = createDispatchReader(transport, timeoutMs);

  async function execute(request: ProviderRequest, maySend: () => boolean): Promise<ProviderOutcome> {
    const signal = AbortSignal.timeout(timeoutMs);
    const write = await planWrite(request, signal);
    if ("kind" in write) return write;
    const answer = await send(write, request.idempotencyKey, signal, maySend);
    if (request.action === "terminate" && answer.kind === "error" && notTerminated.has(answer.code)) {
      const suspension = { operation: "license.suspend", fields: { ...write.fields, reason: TERMINATION_REASON } };
      const outcome = await conclude(request, await send(suspension, suspensionKey(request), signal, maySend));
      if (outcome.kind !== "succeeded" || answer.code !== "NO_PERMISSION") return outcome;
      return { ...outcome, accountProblem: `${answer.code}: ${answer.message} The license was suspended instead.` };
    }
    return conclude(request, answer);
  }

  async function send(
    { operation, fields }: Write,
    idempotencyKey: string,
    signal: AbortSignal,
    maySend: () => boolean,
  ): Promise<ParsedReply> {
    const query = { endpoint: operation };
    return parseReply(
      await transport.send({ method: "POST", path: "", query, fields, idempotencyKey, signal, maySend }),
    );
  }

  async function conclude(request: ProviderRequest, answer: ParsedReply): Promise<ProviderOutcome> {
    switch (answer.kind) {
      case "data":
        return readSuccess(request, answer.data);
      case "pending":
        return answer.replayed ? outcomeByState(request, "rejected") : unknown("The provider does not know yet.");
      case "error": {
        const outcome = classifyRejection(answer);
        if (outcome === "ask") return outcomeByState(request, "not_sent");
        return outcome.kind === "rejected" && answer.replayed ? { ...outcome, isReplayed: true } : outcome;
      }
      case "not_sent":
      case "unknown":
      case "withheld":
        return answer;
      default:
        return answer satisfies never;
    }
  }

  /** Operation and fields of a request, or why nothing is sent. */
  async function planWrite(request: ProviderRequest, signal: AbortSignal): Promise<Write | ProviderOutcome> {
    const refusal = refusalOf(request);
    if (refusal !== null) return { kind: "rejected", message: refusal };
    const { action, product, ipAddress, cores, reference } = request;
    const cycle_id = String(request.cycle);
    if (action === "provision") {
      const fields = { product_id: product, cycle_id, ip_address: ipAddress, notes: formatNote(reference) };
      return { operation: "license.register", fields };
    }
    const found = await reader.findLicenseId(request, signal);
    if (found.kind === "none") return { kind: "rejected", message: "The provider has no such license." };
    if (found.kind === "unreachable") return { kind: "not_sent", message: found.message, ...faultOf(found) };
    const license_id = String(found.licenseId);
    switch (action) {
      case "set_term":
        return { operation: "license.renew", fields: { license_id, cycle_id } };
      case "set_address":
        return { operation: "license.change_ip", fields: { license_id, new_ip: ipAddress } };
      case "set_cores":
        return { operation: "license.change_core", fields: { license_id, cores: String(cores) } };
      case "suspend":
        return { operation: "license.suspend", fields: { license_id } };
      case "unsuspend":
        return { operation: "license.unsuspend", fields: { license_id } };
      case "terminate":
        return { operation: "license.terminate", fields: { license_id } };
      default:
        return action satisfies never;
    }
  }

  /** Determines the outcome from the provider's state, after a complete but inconclusive response. */
  async function outcomeByState(request: ProviderRequest, notDone: "rejected" | "not_sent"): Promise<ProviderOutcome> {
    const seen = await lookUp(request);
    switch (seen.kind) {
      case "succeeded":
      case "rejected":
        return seen;
      case "not_found":
        return { kind: notDone, message: "The provider did not carry it out." };
      case "unreachable":
        return unknown(seen.message);
      default:
        return seen satisfies never;
    }
  }

  async function lookUp(request: ProviderRequest, options?: LookUpOptions): Promise<ProviderLookUp> {
    const seen = await lookUpState(request);
    if (seen.kind !== "not_found" || !options?.voidIfUnseen) return seen;
    for (const key of keysOf(request)) {
      const voided = await voidRequestKey(transport, key, timeoutMs);
      if (voided.kind === "received") {
        return (options.maySend && (await readStoredRejection(request, options.maySend))) || lookUpState(request);
      }
      if (voided.kind !== "not_found" || !voided.isVoid) return voided;
    }
    return { kind: "not_found", isVoid: true };
  }

  /**
   * The rejection that the provider stores for a request that it has received; a termination's is followed by a
   * suspension. Only a replay counts: the first request may still be in progress while a new one is refused, for our key
   * has been revoked. If the provider dropped it unfinished, it is carried out now, and its state shows that.
   */
  async function readStoredRejection(request: ProviderRequest, maySend: () => boolean): Promise<ProviderLookUp | null> {
    if (request.action === "terminate") return null;
    const signal = AbortSignal.timeout(timeoutMs);
    const write = await planWrite(request, signal);
    if ("kind" in write) return null;
    const answer = await send(write, request.idempotencyKey, signal, maySend);
    if (answer.kind !== "error" || !answer.replayed) return null;
    const outcome = classifyRejection(answer);
    return outcome !== "ask" && outcome.kind === "rejected" ? outcome : null;
  }

  async function lookUpState(request: ProviderRequest): Promise<ProviderLookUp> {
    const found = await reader.findLicense(request, AbortSignal.timeout(timeoutMs));
    if (found.kind === "none") return { kind: "not_found", isVoid: false };
    if (found.kind === "unreachable") return { kind: "unreachable", message: found.message };
    const trace = traceRequest(request, found.info);
    switch (trace) {
      case "done":
        return { kind: "succeeded", providerReference: String(found.info.license_id) };
      case "not_done":
        return { kind: "not_found", isVoid: false };
      case "open":
        return { kind: "unreachable", message: "The provider does not know yet." };
      case "ended":
        return { kind: "rejected", message: "The provider has terminated this license." };
      default:
        return trace satisfies never;
    }
  }

  return {
    name,
    traits: { terms: "counted", endsBySuspending: true },
    addressLookupLimit: ADDRESS_LOOKUP_LIMIT,
    turns: rateShare,
    refusalOf,
    execute,
    check: createPreflight({ planWrite, send, conclude, timeoutMs }),
    lookUp,
    bookPages: (findKnown) => readDispatchBooks(reader, findKnown),
    bookDetails: (names) => readDispatchDetails(reader, names),
    account: createDispatchAccount(reader),
    close: () => transport.close(),
  };
}

function readSuccess({ action }: ProviderRequest, data: unknown): ProviderOutcome {
  if (action !== "provision" && action !== "set_term") return { kind: "succeeded" };
  const charge = chargeSchema.safeParse(data).data;
  const charged = charge && { charged: { price: amountToText(charge.price), currency: charge.currency } };
  if (action === "set_term") return { kind: "succeeded", ...charged };
  const parsed = registrationSchema.safeParse(data);
  if (!parsed.success) return unknown("The provider's response has no license.");
  return { kind: "succeeded", providerReference: String(parsed.data.license_id), ...charged };
}

/** Its answer to the termination may be stored under the request's own key. */
function suspensionKey({ idempotencyKey }: ProviderRequest): string {
  return `${idempotencyKey}:suspend`;
}

/** Under which a request is sent. */
function keysOf(request: ProviderRequest): readonly string[] {
  const { action, idempotencyKey } = request;
  return action === "terminate" ? [idempotencyKey, suspensionKey(request)] : [idempotencyKey];
}

function faultOf({ fault }: Extract<Found, { kind: "unreachable" }>) {
  return fault === undefined ? {} : { fault };
}

function unknown(message: string): ProviderOutcome {
  return { kind: "unknown", message };
}
