import type { Database } from "#lib/db/connection/client.ts";
import type { PendingWrites } from "#lib/db/connection/transaction.ts";
import type { Lease, LeaseKeeper } from "#lib/db/lease/keeper.ts";
import type { OperationRow } from "#lib/db/operation/operation.ts";
import type { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import {
  type AdminPermission,
  adminRoles,
  describeDenial,
  mayGrantScopes,
  type ResellerPermission,
  resellerRoles,
} from "#lib/domain/roles.ts";
import { includesScope, type Scope, scopes } from "#lib/domain/scopes.ts";
import type { HostProbe } from "#lib/ports/host-probe.ts";
import type { HostResolver } from "#lib/ports/host-resolver.ts";
import type { Limiter } from "#lib/ports/limiter.ts";
import type { ProviderRegistry } from "#lib/ports/provider-registry.ts";
import { type Actor, permissionDenied, requirePermission, roleForReseller } from "./actor.ts";
import type { ServiceSettings } from "./settings.ts";

export type { Actor } from "./actor.ts";

/** First argument of every service. */
export interface ServiceContext {
  readonly db: Database;
  readonly actor: Actor;
  readonly requestId: string;
  /** The actor's, who signed in; null: a key's, the worker's, the command line's. */
  readonly sessionId: string | null;
  /** Source address of the request; null: the worker's, the command line's. */
  readonly address: string | null;
  /** The database's clock, shared by all processes. */
  readonly now: () => Date;
  /** Leases of this process. */
  readonly leases: LeaseKeeper;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly providers: ProviderRegistry;
  readonly hostProbe: HostProbe;
  readonly hostResolver: HostResolver;
  /** Messages to addresses that visitors and users type, per hour. */
  readonly mailLimiter: Limiter;
  readonly settings: ServiceSettings;
  /** Null without an `Idempotency-Key` (contract 1.11). */
  readonly claim: ClaimedKey | null;
  /** The running item of a job: a worker that has lost it changes nothing. */
  readonly item?: RunningItem | undefined;
  /** For a replay: the settled operation to answer from, which was open at the first answer. */
  readonly settledOperation?: OperationRow | undefined;
  /** A preview: every check runs, and nothing is written, sent or charged (`previewCharge`). */
  readonly isPreview?: true;
  /** A relocation: planning it was counted as an address lookup, and it can always be reverted (contract 1.12). */
  readonly relocates?: "forth" | "back";
  /** Version (`versionOf`) that the caller saw; the call is rejected if the subject has changed since. */
  readonly seenVersion?: string | null;
}

/** For services that visitors call before they sign in: it proves nobody. */
export type VisitorContext = Pick<
  ServiceContext,
  "address" | "db" | "now" | "mailLimiter" | "randomBytes" | "requestId" | "settings"
>;

/** The `Idempotency-Key` claimed by the running request. */
export interface ClaimedKey {
  readonly key: string;
  /** Identifies the request (`hashRequest`). */
  readonly requestHash: Buffer;
  readonly lease: Lease;
  /** Committed in the transaction that stores the answer. */
  readonly pending: PendingWrites;
  /** True once the request has an open operation: its answer is replaced when the operation settles. */
  isOpen: boolean;
}

/** An item of a job, run by the worker that has the job's lease. */
export interface RunningItem {
  readonly lease: Lease;
  /** Committed in the transaction that ends the item. */
  readonly pending: PendingWrites;
}

/**
 * Database for a service's writes. With an idempotency key they commit in the transaction that stores the answer, so the
 * key never has an effect without its answer, or two effects; those of a job's item with its end. Operations are the
 * exception: key and item link to their row.
 */
export function writesOf({ db, claim, item }: ServiceContext): Database {
  return (claim ?? item)?.pending.writes ?? db;
}

/** Calls `effect` once the service's writes are committed: what it invalidates would else be read again too soon. */
export function afterWrites({ claim, item }: ServiceContext, effect: () => void): void {
  const pending = (claim ?? item)?.pending;
  if (pending) pending.afterCommit(effect);
  else effect();
}

/** A sum of money: integer minor units of a currency. */
export interface MoneyAmount {
  readonly minor: bigint;
  readonly currency: Currency;
}

/**
 * The actor's reseller, if the actor has any of the scopes: a key by its scopes, a user by their role. Never a key that
 * is bound to one license: services for those call `requireLicenseReach`.
 * @throws DomainError `permission_denied`
 */
export function requireReseller(ctx: ServiceContext, ...anyOf: readonly [Scope, ...Scope[]]): ResellerId {
  const { actor } = ctx;
  switch (actor.kind) {
    case "api_key":
      if (actor.licenseId !== null || !anyOf.some((scope) => includesScope(actor.scopes, scope))) {
        throw missingScope(anyOf);
      }
      return actor.resellerId;
    case "delegate":
      if (!anyOf.some((scope) => includesScope(actor.scopes, scope))) {
        throw permissionDenied(`${actor.name} lacks the scope ${anyOf.join(" or ")}.`);
      }
      return actor.resellerId;
    case "reseller_user":
    case "admin":
      return requireResellerUser(ctx, ...anyOf);
    case "system":
      throw permissionDenied("Only a reseller may do this.");
    default:
      return actor satisfies never;
  }
}

/**
 * `requireReseller` for services that charge: a user's role must also allow spending. A key spends by its scope.
 * @throws DomainError `permission_denied`
 */
export function requireSpending(ctx: ServiceContext, scope: Scope): ResellerId {
  const resellerId = requireReseller(ctx, scope);
  if (ctx.actor.kind === "reseller_user" || ctx.actor.kind === "admin") requirePermission(ctx.actor, "wallet:spend");
  return resellerId;
}

/** Whether a key, delegate or user has the permission, for results that depend on it. */
export function hasPermission({ actor }: ServiceContext, permission: ResellerPermission): boolean {
  if ("scopes" in actor) return scopes.some((one) => one === permission && includesScope(actor.scopes, one));
  return actor.kind === "system" || resellerRoles[roleForReseller(actor)].permissions.includes(permission);
}

export function missingScope(anyOf: readonly Scope[]): DomainError {
  return permissionDenied(`This API key lacks the scope ${anyOf.join(" or ")}. Use a key that has it.`);
}

/**
 * The reseller of a dashboard user, for services that API keys cannot call, whatever their scopes.
 * @throws DomainError `permission_denied`
 */
export function requireResellerUser(
  { actor }: ServiceContext,
  ...anyOf: readonly [ResellerPermission, ...ResellerPermission[]]
): ResellerId {
  switch (actor.kind) {
    case "reseller_user":
    case "admin":
      if (actor.resellerId === null) throw permissionDenied("Choose a reseller to act for.");
      requirePermission(actor, ...anyOf);
      return actor.resellerId;
    case "api_key":
    case "delegate":
    case "system":
      throw permissionDenied("Only a reseller's user may do this.");
    default:
      return actor satisfies never;
  }
}

/** Context of the same admin or system actor acting for one reseller; `scopes` limits the system actor. */
export function onBehalfOf(ctx: ServiceContext, resellerId: ResellerId, scopes: readonly Scope[]): ServiceContext {
  const { actor } = ctx;
  switch (actor.kind) {
    case "admin":
      return { ...ctx, actor: { ...actor, resellerId } };
    case "system":
      return { ...ctx, actor: { kind: "delegate", name: actor.name, resellerId, scopes: new Set(scopes) } };
    case "api_key":
    case "delegate":
    case "reseller_user":
      throw permissionDenied("Only an administrator may do this.");
    default:
      return actor satisfies never;
  }
}

/**
 * A user must not create or rotate a key that may do more than they.
 * @throws DomainError `permission_denied`
 */
export function requireGrantable({ actor }: ServiceContext, granted: readonly Scope[]): void {
  const isUser = actor.kind === "reseller_user" || actor.kind === "admin";
  if (!isUser || mayGrantScopes(resellerRoles[roleForReseller(actor)].permissions, granted)) return;
  throw permissionDenied("Your role does not allow all that this key may do. Choose fewer scopes, or ask an owner.");
}

/** @throws DomainError `permission_denied` unless the actor is the system, or an admin whose role has the permission. */
export function requireAdmin({ actor }: ServiceContext, permission: AdminPermission): void {
  if (actor.kind === "system") return;
  if (actor.kind !== "admin") throw permissionDenied("Only an administrator may do this.");
  if (!adminRoles[actor.role].permissions.includes(permission)) {
    throw permissionDenied(describeDenial("admin", permission));
  }
}

/** @throws DomainError `permission_denied` unless the actor is a worker or the command line. */
export function requireSystem({ actor }: ServiceContext): void {
  if (actor.kind !== "system") throw permissionDenied("Only the worker may do this.");
}

/** Only admins can lift what an admin suspended (contract 1.15). */
export function isAdmin(ctx: ServiceContext): boolean {
  return ctx.actor.kind === "admin" || ctx.actor.kind === "system";
}

/** The request in audit entries: `web_1 from 203.0.113.7`, or its id alone. */
export function requestName({ requestId, address }: Pick<ServiceContext, "requestId" | "address">): string {
  return address === null ? requestId : `${requestId} from ${address}`;
}

/** The actor in entries, operations and history: `key:3`, `user:7`, `user:7 as reseller:3`, `system:worker`. */
export function actorName({ actor }: ServiceContext): string {
  switch (actor.kind) {
    case "api_key":
      return `key:${actor.apiKeyId}`;
    case "reseller_user":
      return actor.actingAdmin ? `user:${actor.userId} as reseller:${actor.resellerId}` : `user:${actor.userId}`;
    case "admin":
      return `user:${actor.userId}`;
    case "system":
    case "delegate":
      return `system:${actor.name}`;
    default:
      return actor satisfies never;
  }
}
