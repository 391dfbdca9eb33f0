import type { DomainError } from "#lib/domain/errors.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** In the order in which `Allow` names them. */
export const methods = ["GET", "POST", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** Parameters as they came: text from queries and forms, anything from JSON. Each name once, none empty. */
export type RawParameters = Readonly<Record<string, unknown>>;

export interface RequestFacts {
  /** Of the caller, after trusted proxies (decisions 1.6). */
  readonly sourceAddress: string;
}

export interface Answer {
  readonly status: number;
  /** JSON, or chunks of JSON text for answers of any length. */
  readonly body: unknown | AsyncIterable<string>;
  /** It holds a secret: stored for a replay (decisions 1.11), it is sealed. */
  readonly confidential?: true;
}

/** One operation of an interface: everything but the transport. */
export interface Endpoint {
  /** As logs and the idempotency record name it. */
  readonly name: string;
  readonly method: Method;
  readonly scope: Scope;
  answer(ctx: ServiceContext, parameters: RawParameters, facts: RequestFacts): Promise<Answer>;
}

/** How one interface reads callers and tells errors; the pipeline is the same for both. */
export interface ApiInterface {
  readonly name: "path" | "dispatch";
  /** Content types of bodies that it takes. */
  readonly mediaTypes: readonly MediaType[];
  readToken(headers: Headers): string | null;
  presentError(error: DomainError): { readonly status: number; readonly body: unknown };
}

export type MediaType = "application/json" | "application/x-www-form-urlencoded" | "multipart/form-data";

export type EndpointsByMethod = { readonly [M in Method]?: Endpoint };

/** What a URL names, with the parameters that its path holds; null where there is nothing. */
export type Target = { readonly endpoints: EndpointsByMethod; readonly pathParameters: RawParameters } | null;
