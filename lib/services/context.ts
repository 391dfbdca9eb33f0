import type { Database } from "#lib/db/connection/client.ts";
import type { PendingWrites } from "#lib/db/connection/transaction.ts";
import type { Lease, LeaseKeeper } from "#lib/db/lease/keeper.ts";
import type { OperationRow } from "#lib/db/operation/operation.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ApiKeyId, ResellerId, UserId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { TargetRules } from "#lib/domain/public-address.ts";
import { includesScope, type Scope } from "#lib/domain/scopes.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import type { TargetLimits } from "#lib/domain/webhook-limits.ts";
import type { HostProbe } from "#lib/ports/host-probe.ts";
import type { HostResolver } from "#lib/ports/host-resolver.ts";
import type { ProviderRegistry } from "#lib/ports/provider-registry.ts";

/** Who asks. Every service checks this itself, whichever way the call came. */
export type Actor =
  | {
      readonly kind: "api_key";
      readonly apiKeyId: ApiKeyId;
      readonly resellerId: ResellerId;
      readonly scopes: ReadonlySet<Scope>;
    }
  | {
      readonly kind: "reseller_user";
      readonly userId: UserId;
      readonly resellerId: ResellerId;
      /** The user is an admin who acts as the reseller: with its rights alone, and not over its people. */
      readonly actingAdmin?: true;
    }
  /** `resellerId`: the reseller that the admin acts for, if any. */
  | { readonly kind: "admin"; readonly userId: UserId; readonly resellerId: ResellerId | null }
  /** The operator's command line and the workers. */
  | { readonly kind: "system"; readonly name: string }
  /** The same on behalf of one reseller, with no more rights than the task needs. Made by `onBehalfOf` alone. */
  | {
      readonly kind: "delegate";
      readonly name: string;
      readonly resellerId: ResellerId;
      readonly scopes: ReadonlySet<Scope>;
    };

/** What every service gets beside its input. */
export interface ServiceContext {
  readonly db: Database;
  readonly actor: Actor;
  readonly requestId: string;
  /** The database's time, so that all processes agree on it. */
  readonly now: () => Date;
  /** What this process has claimed. */
  readonly leases: LeaseKeeper;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly providers: ProviderRegistry;
  readonly hostProbe: HostProbe;
  readonly hostResolver: HostResolver;
  readonly settings: ServiceSettings;
  /** Null without an `Idempotency-Key` (contract 1.11). */
  readonly claim: ClaimedKey | null;
  /** For a replay: the settled operation to answer from. Its outcome was open when the caller was answered before. */
  readonly settledOperation?: OperationRow;
  /** What the caller decided by (`versionOf`): what has changed since then is not changed by this call. */
  readonly seenVersion?: string | null;
}

/** The `Idempotency-Key` that is claimed for the running request. */
export interface ClaimedKey {
  readonly key: string;
  /** Identifies the request (`hashRequest`). */
  readonly requestHash: Buffer;
  readonly lease: Lease;
  /** Committed in the transaction that stores the answer. */
  readonly pending: PendingWrites;
  /** Set once the request has an operation whose outcome is open: its answer will be replaced by the settled one. */
  isOpen: boolean;
}

/**
 * Where a service writes. With an idempotency key the write is committed in the transaction that stores the answer: the
 * key never has an effect without its answer, or two effects. Operations are the exception: they have a row of their own
 * that the key is linked to.
 */
export function writesOf({ db, claim }: ServiceContext): Database {
  return claim?.pending.writes ?? db;
}

export interface ServiceSettings {
  readonly apiKeyPepper: string;
  /** Under which credentials and signing secrets are stored; without it they can be neither stored nor used. */
  readonly sealingKey?: SealingKey | null;
  /** How long an outcome may stay unknown before it is a case for an admin. */
  readonly inboxAfterMs: number;
  /** Whether `GET /diagnostics` may report on the host that answers (contract 2.5). */
  readonly liveDiagnostics: boolean;
  /** Whether a provider's address may be plain http; without it https alone. */
  readonly allowHttpProviders?: boolean;
  /** Where webhooks may go (contract 4.4); without it to https on public addresses alone. */
  readonly webhookTargets?: TargetRules;
  /** What one host may be sent; without it `DEFAULT_TARGET_LIMITS`. */
  readonly webhookLimits?: TargetLimits;
}

/** A sum of money: integer minor units of a currency. */
export interface MoneyAmount {
  readonly minor: bigint;
  readonly currency: Currency;
}

/**
 * The reseller that the actor works for, if it may do what any of the scopes names; a reseller's user may do all of it.
 * @throws DomainError `permission_denied`
 */
export function requireReseller(ctx: ServiceContext, ...anyOf: readonly [Scope, ...Scope[]]): ResellerId {
  const { actor } = ctx;
  switch (actor.kind) {
    case "api_key":
      if (!anyOf.some((scope) => includesScope(actor.scopes, scope))) throw scopeMissing(anyOf);
      return actor.resellerId;
    case "delegate":
      if (!anyOf.some((scope) => includesScope(actor.scopes, scope))) {
        throw permissionDenied(`${actor.name} may not do what ${anyOf.join(" or ")} allows.`);
      }
      return actor.resellerId;
    case "reseller_user":
      return actor.resellerId;
    case "admin":
      if (actor.resellerId === null) throw permissionDenied("Choose a reseller to act for.");
      return actor.resellerId;
    case "system":
      throw permissionDenied("Only a reseller may do this.");
    default:
      return actor satisfies never;
  }
}

/** Of a caller that works for a reseller: whether its key lacks this scope. Nobody else has scopes. */
export function hasScope({ actor }: ServiceContext, scope: Scope): boolean {
  return !("scopes" in actor) || includesScope(actor.scopes, scope);
}

export function scopeMissing(anyOf: readonly Scope[]): DomainError {
  return permissionDenied(`This API key lacks the scope ${anyOf.join(" or ")}. Use a key that has it.`);
}

/**
 * The reseller that a person works for in the dashboard: for what no API key may do, whatever its scopes.
 * @throws DomainError `permission_denied`
 */
export function requireResellerUser(ctx: ServiceContext): ResellerId {
  const { actor } = ctx;
  switch (actor.kind) {
    case "reseller_user":
      return actor.resellerId;
    case "admin":
      if (actor.resellerId === null) throw permissionDenied("Choose a reseller to act for.");
      return actor.resellerId;
    case "api_key":
    case "delegate":
    case "system":
      throw permissionDenied("Only a reseller's user may do this.");
    default:
      return actor satisfies never;
  }
}

/** The context of the same admin or operator acting for one reseller, the operator with these scopes alone. */
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
      throw permissionDenied("Only an admin may do this.");
    default:
      return actor satisfies never;
  }
}

/** @throws DomainError `permission_denied` unless an admin or the operator asks. */
export function requireAdmin(ctx: ServiceContext): void {
  if (ctx.actor.kind !== "admin" && ctx.actor.kind !== "system") throw permissionDenied("Only an admin may do this.");
}

/** Whether what the actor suspends can be lifted by an admin only (contract 1.15). */
export function isAdmin(ctx: ServiceContext): boolean {
  return ctx.actor.kind === "admin" || ctx.actor.kind === "system";
}

export function permissionDenied(message: string): DomainError {
  return new DomainError("permission_denied", message);
}

/** How entries, operations and history name the actor: `key:3`, `user:7`, `user:7 as reseller:3`, `system:worker`. */
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
