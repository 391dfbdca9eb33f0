import type { z } from "zod";
import type { DomainError } from "#lib/domain/errors.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** In the order of the `Allow` header. */
export const methods = ["GET", "POST", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/**
 * Parameters as received: text from queries and forms, anything from JSON, with numbers as `JsonNumber`. Names are
 * unique.
 */
export type RawParameters = Readonly<Record<string, unknown>>;

export interface RequestFacts {
  /** The caller's, behind trusted proxies (contract 1.6). */
  readonly sourceAddress: string;
  /** The calling reseller's. */
  readonly currency: Currency;
}

export interface EndpointResult<Body = unknown> {
  readonly status: number;
  /** JSON, or chunks of JSON text for a streamed response. */
  readonly body: Body | AsyncIterable<string>;
  /** Contains a secret: sealed when stored for a replay (contract 1.11). */
  readonly confidential?: true;
}

/** One operation of an interface, independent of transport. */
export interface Endpoint {
  /** Name in logs and idempotency records. */
  readonly name: string;
  readonly method: Method;
  /** Null: any key. */
  readonly scope: Scope | null;
  /** An alternative scope that also grants access. */
  readonly orScope?: Scope;
  /** The response has an `ETag`, and is 304 to a request that has it (contract 1.5). */
  readonly hasEtag?: true;
  /** The schema of the parameters, in documented order. */
  schemaFor(currency: Currency): z.ZodObject;
  /** By status. */
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** Whether it runs once per `Idempotency-Key` (contract 1.11). */
  readonly acceptsKey: boolean;
  read(parameters: RawParameters, facts: RequestFacts): EndpointRequest;
}

/** A request with parsed parameters. */
export interface EndpointRequest {
  /** The parsed parameters, which identify a repeated request. */
  readonly identity: unknown;
  /** Changes nothing, so it has no idempotency key (contract 3.18). */
  readonly isDryRun: boolean;
  /** @throws DomainError `parameters_invalid` among others */
  handle(ctx: ServiceContext): Promise<EndpointResult>;
}

/** How an interface identifies callers and presents errors; all share the pipeline. */
export interface KeyInterface {
  readonly name: "path" | "dispatch" | "mcp";
  /** Spelled as callers send it. */
  readonly keyHeader: string;
  readToken(headers: Headers): string | null;
  presentError(error: DomainError): { readonly status: number; readonly body: unknown };
}

export interface ApiInterface extends KeyInterface {
  readonly name: "path" | "dispatch";
  /** Accepted content types. */
  readonly mediaTypes: readonly MediaType[];
  /** The query parameter with the operation's name; null if the path names it. */
  readonly operationParameter: string | null;
  /** The error for a URL without an operation. */
  unknownTarget(url: URL): DomainError;
}

export type MediaType = "application/json" | "application/x-www-form-urlencoded" | "multipart/form-data";

export type EndpointsByMethod = { readonly [M in Method]?: Endpoint };

/** Endpoints at a URL, with its path parameters; null if there are none. */
export type Target = { readonly endpoints: EndpointsByMethod; readonly pathParameters: RawParameters } | null;
