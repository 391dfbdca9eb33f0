import type { z } from "zod";
import type { DomainError } from "#lib/domain/errors.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** In the order in which `Allow` names them. */
export const methods = ["GET", "POST", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** Parameters as they came: text from queries and forms, anything from JSON, its numbers as `JsonNumber`. Each name once. */
export type RawParameters = Readonly<Record<string, unknown>>;

export interface RequestFacts {
  /** Of the caller, after trusted proxies (contract 1.6). */
  readonly sourceAddress: string;
  /** The calling reseller's. */
  readonly currency: Currency;
}

export interface Answer {
  readonly status: number;
  /** JSON, or chunks of JSON text for answers of any length. */
  readonly body: unknown | AsyncIterable<string>;
  /** It holds a secret: stored for a replay (contract 1.11), it is sealed. */
  readonly confidential?: true;
}

/** One operation of an interface: everything but the transport. */
export interface Endpoint {
  /** As logs and the idempotency record name it. */
  readonly name: string;
  readonly method: Method;
  readonly scope: Scope;
  /** Another scope that is enough. */
  readonly orScope?: Scope;
  /** Of its parameters, in the documented order. */
  schemaFor(currency: Currency): z.ZodObject;
  /** Whether it is answered once per `Idempotency-Key` (contract 1.11). */
  readonly acceptsKey: boolean;
  read(parameters: RawParameters, facts: RequestFacts): EndpointRequest;
}

/** A request whose parameters have been read. */
export interface EndpointRequest {
  /** What a repetition of it has in common with it: its parsed parameters. */
  readonly identity: unknown;
  /** @throws DomainError `parameters_invalid` among others */
  answer(ctx: ServiceContext): Promise<Answer>;
}

/** How one interface reads callers and tells errors; the pipeline is the same for both. */
export interface ApiInterface {
  readonly name: "path" | "dispatch";
  /** Content types of bodies that it takes. */
  readonly mediaTypes: readonly MediaType[];
  /** The query parameter that names the operation; null where the path does. */
  readonly operationParameter: string | null;
  /** As callers write it. */
  readonly keyHeader: string;
  readToken(headers: Headers): string | null;
  /** Why there is no operation at this URL. */
  unknownTarget(url: URL): DomainError;
  presentError(error: DomainError): { readonly status: number; readonly body: unknown };
}

export type MediaType = "application/json" | "application/x-www-form-urlencoded" | "multipart/form-data";

export type EndpointsByMethod = { readonly [M in Method]?: Endpoint };

/** What a URL names, with the parameters that its path holds; null where there is nothing. */
export type Target = { readonly endpoints: EndpointsByMethod; readonly pathParameters: RawParameters } | null;
