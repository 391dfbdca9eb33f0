import { readEnv } from "#lib/env.ts";
import { getRuntime } from "#lib/runtime.ts";
import { proveAtIssuer } from "#lib/services/user/prove-at-issuer.ts";
import type { SignedInUser, SignInResult } from "#lib/services/user/sign-in.ts";
import { type IssuerFailure, type SignInIssuer, signInAtIssuer } from "#lib/services/user/sign-in-at-issuer.ts";
import { visitorContext } from "./define-visitor-action.ts";
import { type IssuerRequest, storeIssuerRequest, takeIssuerRequest } from "./issuer-request.ts";
import { readKnownDevices, storeKnownDevice } from "./known-device.ts";
import { formatMethods, storePendingSignIn } from "./pending-sign-in.ts";
import { returnPath } from "./return-path.ts";
import { findSessionUser, readSessionId, readSessionLimits } from "./session.ts";
import { storeSessionCookie } from "./store-session-cookie.ts";
import { findVisitor } from "./visitor.ts";

/** In a cookie, with the rest of the request. */
const MAX_NEXT_LENGTH = 1_000;

/** Null: users sign in here only. */
export function findIssuer(): SignInIssuer | null {
  return getRuntime().signInIssuer;
}

/** Without an issuer, a session that was opened there counts as opened here. */
export function proverOf({ sessionId, userId, issuer }: SignedInUser) {
  return { sessionId, userId, issuer: findIssuer() === null ? null : issuer };
}

/**
 * Where to send a visitor who wants to sign in at the issuer, or, with `prove`, a user who proves again who they are.
 * Null: there is no issuer. Works only in a route handler.
 */
export async function startAtIssuer(asked: URLSearchParams): Promise<string | null> {
  const issuer = findIssuer();
  if (issuer === null) return null;
  const wanted = returnPath(asked.get("next") ?? undefined);
  const next = wanted.length > MAX_NEXT_LENGTH ? "/" : wanted;
  const provedSessionId = asked.has("prove") ? await readSessionId() : null;
  const begun = await issuer.begin({ fresh: provedSessionId !== null });
  if (begun === null) return failurePage("issuer_unavailable", { next, provedSessionId });
  await storeIssuerRequest({ checks: begun.checks, next, provedSessionId, startedAtMs: getRuntime().now().getTime() });
  return begun.url;
}

/** Signs in whom the issuer vouches for. Returns the page to open; null: there is no issuer. Works only in a route handler. */
export async function finishAtIssuer(query: string): Promise<string | null> {
  const issuer = findIssuer();
  if (issuer === null) return null;
  const request = await takeIssuerRequest();
  if (request === null) return failurePage("issuer_expired", { next: "/", provedSessionId: null });
  if (request.provedSessionId !== null) return prove(issuer, request, query);
  const visitor = { ...(await findVisitor()), findDevices: await readKnownDevices() };
  const { OIDC_ROLES: roles, OIDC_CREATE_USERS } = readEnv();
  const rules = { roles, createUsers: OIDC_CREATE_USERS === "on" };
  const { checks } = request;
  return open(
    await signInAtIssuer(visitorContext(""), issuer, { query, checks, ...visitor }, rules, readSessionLimits()),
    request,
  );
}

async function open(result: SignInResult | IssuerFailure, request: IssuerRequest): Promise<string> {
  const next = returnPath(request.next);
  getRuntime().metrics.signInTried("issuer", result.kind);
  if (result.kind === "signed_in") {
    await storeKnownDevice(result.device);
    await storeSessionCookie(result, result.sessionId);
    return next;
  }
  if (result.kind !== "second_factor") return failurePage(failureNames[result.kind], request);
  await storePendingSignIn(result.token);
  return `/sign-in?${new URLSearchParams({ second: formatMethods(result), next })}`;
}

async function prove(issuer: SignInIssuer, request: IssuerRequest, query: string): Promise<string> {
  const user = await findSessionUser();
  if (user?.sessionId !== request.provedSessionId) return failurePage("issuer_expired", request);
  const { address } = await findVisitor();
  const proof = { query, checks: request.checks, startedAt: new Date(request.startedAtMs), address };
  const result = await proveAtIssuer(visitorContext(""), issuer, user, proof);
  if (result.kind !== "proven") return failurePage(proofFailureNames[result.kind], request);
  await storeSessionCookie(user, result.sessionId);
  return "/confirmed";
}

/** As the pages know them. */
const failureNames = {
  busy: "busy",
  read_only: "read_only",
  limited: "issuer_limited",
  refused: "issuer_refused",
  expired: "issuer_expired",
  rejected: "issuer_rejected",
  unavailable: "issuer_unavailable",
} as const satisfies Record<IssuerFailure["kind"], string>;
const proofFailureNames = { ...failureNames, refused: "issuer_other" } as const;
type FailureName = (typeof failureNames | typeof proofFailureNames)[IssuerFailure["kind"]];

function failurePage(
  failed: FailureName,
  { next, provedSessionId }: Pick<IssuerRequest, "next" | "provedSessionId">,
): string {
  return `${provedSessionId === null ? "/sign-in" : "/confirmed"}?${new URLSearchParams({ failed, next })}`;
}
