import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "#lib/dashboard/auth-options.ts";
import { finishAtIssuer, startAtIssuer } from "#lib/dashboard/issuer-sign-in.ts";
import { newChallenge } from "#lib/dashboard/passkey-site.ts";
import { takeVisitorTurn } from "#lib/dashboard/visitor.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { readBody } from "#lib/http/read-body.ts";
import { answerProof } from "./answer-proof.ts";

/** All that the sign-in form asks for. The rest of next-auth has pages that nobody needs, and a log that anyone fills. */
const operations: Readonly<Record<string, readonly string[]>> = {
  GET: ["csrf", "providers", "session", "passkey-challenge", "oidc", "oidc/callback"],
  POST: ["callback/credentials", "proof"],
};
/** Larger ones are refused by the server (`lib/server/body-limit.ts`); on any other host, here. */
const MAX_BODY_BYTES = 16 * 1024;
const CALLBACK_COOKIE = /next-auth\.callback-url$/;
const bodyTypes: Readonly<Record<string, string>> = {
  "callback/credentials": "application/x-www-form-urlencoded",
  proof: "application/json",
};

interface Segment {
  readonly params: Promise<{ readonly nextauth: readonly string[] }>;
}

const nextAuth = NextAuth(authOptions);

/** Hands on what next-auth answers without an error of its own: a form within bounds, or a question without parameters. */
export async function handleAuth(request: NextRequest, context: Segment): Promise<Response> {
  const { method, headers } = request;
  const operation = (await context.params).nextauth.join("/");
  if (!operations[method]?.includes(operation)) return refuse(404, "There is nothing at this address.");
  // A sign-in waits in lines of its own (`sign-in-gate.ts`).
  if (method === "GET") await takeVisitorTurn();
  if (operation === "passkey-challenge") return answerChallenge();
  if (operation === "oidc") return openPage(await startAtIssuer(request.nextUrl.searchParams));
  if (operation === "oidc/callback") return openPage(await finishAtIssuer(request.nextUrl.search));
  const bodyType = bodyTypes[operation];
  if (bodyType !== undefined && headers.get("content-type")?.split(";", 1)[0]?.trim() !== bodyType)
    return refuse(415, `Send ${bodyType}.`);
  const callbacks = request.cookies.getAll().filter(({ name }) => CALLBACK_COOKIE.test(name));
  if (callbacks.some(({ value }) => !URL.canParse(value, request.nextUrl.origin)))
    return refuse(400, "A cookie names no address.");
  try {
    const body = method === "POST" ? await readBody(request, MAX_BODY_BYTES) : null;
    if (body && operation === "proof") return answerJson(await answerProof(body));
    const url = new URL(request.nextUrl.pathname, request.nextUrl.origin);
    return await nextAuth(new NextRequest(url, { method, headers, body }), context);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return refuse(413, error.message);
  }
}

/** What a passkey signs to sign in. Nothing is stored, so asking costs nothing. */
function answerChallenge(): Response {
  const challenge = newChallenge("sign-in");
  if (challenge === null) return refuse(404, "Passkeys need https and a host name.");
  return answerJson(challenge);
}

function answerJson(value: unknown): Response {
  return Response.json(value, { headers: { "cache-control": "no-store" } });
}

function openPage(href: string | null): Response {
  if (href === null) return refuse(404, "There is nothing at this address.");
  const headers = new Headers({ "cache-control": "no-store" });
  headers.set("location", href);
  return new Response(null, { status: 303, headers });
}

function refuse(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "content-type": "text/plain", "cache-control": "no-store" },
  });
}
