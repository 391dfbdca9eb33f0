import type { z } from "zod";
import { type InCamelCase, inCamelCase } from "#lib/domain/field-names.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { Endpoint, EndpointResult, Method, RawParameters, RequestFacts } from "./endpoint.ts";
import { JsonNumber } from "./json-number.ts";
import { parseParameters } from "./parameters.ts";
import { requireSelector, type Selectors } from "./selectors.ts";

interface Definition<Schema extends z.ZodObject, Answer extends z.ZodType> {
  readonly name: string;
  readonly method: Method;
  /** A POST that only reads: it ignores `Idempotency-Key` and replays no response (contract 1.11). */
  readonly onlyReads?: true;
  /** Null: any key. */
  readonly scope: Scope | null;
  /** An alternative scope that also grants access. */
  readonly orScope?: Scope;
  /**
   * Checks access beyond the scope, before parameters are parsed (contract 1.3).
   * @throws DomainError `permission_denied`
   */
  permit?(ctx: ServiceContext, raw: RawParameters, facts: RequestFacts): void;
  /** Fields in documented order; amounts depend on the caller's currency. */
  readonly parameters: Schema | ((currency: Currency) => Schema);
  /** Fields for which an empty string is a value. */
  readonly emptiable?: readonly (keyof z.input<Schema> & string)[];
  /** Parameters that select the subject; a query with any other name is rejected. */
  readonly selectors?: Selectors<keyof z.input<Schema> & string>;
  readonly hasEtag?: true;
  /** By status. The API reference is made of them; `npm test` checks every response. */
  readonly responses: Readonly<Record<number, Answer>>;
  /** Calls one service, which has the parameters' names in camelCase, and presents its result. */
  handle(
    ctx: ServiceContext,
    parameters: InCamelCase<z.output<Schema>>,
    facts: RequestFacts,
  ): Promise<EndpointResult<z.input<NoInfer<Answer>>>>;
}

export function defineEndpoint<Schema extends z.ZodObject, Answer extends z.ZodType>(
  definition: Definition<Schema, Answer>,
): Endpoint {
  const { parameters, permit, emptiable, selectors, handle, onlyReads = false, ...rest } = definition;
  const schemaFor = typeof parameters === "function" ? memoizeByCurrency(parameters) : () => parameters;
  return {
    ...rest,
    acceptsKey: rest.method === "POST" && !onlyReads,
    schemaFor,
    read(raw, facts) {
      const schema = schemaFor(facts.currency);
      const parsed = attempt(() => {
        if (selectors) requireSelector(raw, Object.keys(schema.shape), selectors);
        return parseParameters(schema, raw, emptiable);
      });
      return {
        // Unreadable parameters have no parsed form, so their known raw fields identify the request. A dry run ignores
        // the key, so what has one is none, whether it says so or not.
        identity: parsed.ok
          ? { ...parsed.value, dry_run: undefined }
          : { unreadable: { ...knownFields(schema, raw), dry_run: undefined } },
        isDryRun: "dry_run" in schema.shape && ["true", true].includes(raw.dry_run as string | boolean),
        async handle(ctx) {
          permit?.(ctx, raw, facts);
          if (!parsed.ok) throw parsed.error;
          return handle(ctx, inCamelCase(parsed.value), facts);
        },
      };
    },
  };
}

/** Building a schema takes far longer than using it. */
function memoizeByCurrency<Schema>(build: (currency: Currency) => Schema): (currency: Currency) => Schema {
  const built = new Map<Currency, Schema>();
  return (currency) => {
    const schema = built.get(currency) ?? build(currency);
    built.set(currency, schema);
    return schema;
  };
}

type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown };

function attempt<Value>(parse: () => Value): Parsed<Value> {
  try {
    return { ok: true, value: parse() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** As a form would send them: JSON's numbers and booleans as text. */
function knownFields(schema: z.ZodObject, raw: RawParameters): RawParameters {
  const asText = (value: unknown) =>
    value instanceof JsonNumber || typeof value === "boolean" ? String(value) : value;
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, asText(raw[field])]));
}
