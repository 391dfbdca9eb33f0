import type { z } from "zod";
import type { Currency } from "#lib/domain/money.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { Answer, Endpoint, Method, RawParameters, RequestFacts } from "./endpoint.ts";
import { parseParameters } from "./parameters.ts";
import { requireSelector, type Selectors } from "./selectors.ts";

/**
 * Every POST says what it does. One that only reads ignores `Idempotency-Key`: each request is answered by the facts of
 * its moment (contract 1.11).
 */
type MethodAndEffect =
  | { readonly method: Exclude<Method, "POST">; readonly effect?: never }
  | { readonly method: "POST"; readonly effect: "reads" | "writes" };

type Definition<Schema extends z.ZodObject> = MethodAndEffect & {
  readonly name: string;
  readonly scope: Scope;
  /** Another scope that is enough. */
  readonly orScope?: Scope;
  /**
   * Checks what the scope leaves open, before the parameters are parsed (contract 1.3).
   * @throws DomainError `permission_denied`
   */
  permit?(ctx: ServiceContext, raw: RawParameters, facts: RequestFacts): void;
  /** Fields in the documented order of the parameters; those of amounts depend on the caller's currency. */
  readonly parameters: Schema | ((currency: Currency) => Schema);
  /** Fields whose empty text is a value, not an absence. */
  readonly emptiable?: readonly (keyof z.input<Schema> & string)[];
  /** The parameters that choose what the answer is about: a query that names anything else is refused. */
  readonly selectors?: Selectors<keyof z.input<Schema> & string>;
  /** Calls one service and presents its result. */
  answer(ctx: ServiceContext, parameters: z.output<Schema>, facts: RequestFacts): Promise<Answer>;
};

export function defineEndpoint<Schema extends z.ZodObject>(definition: Definition<Schema>): Endpoint {
  const { parameters, permit, emptiable, selectors, answer, effect, ...rest } = definition;
  const schemaFor = typeof parameters === "function" ? onceForEach(parameters) : () => parameters;
  return {
    ...rest,
    acceptsKey: effect === "writes",
    schemaFor,
    read(raw, facts) {
      const schema = schemaFor(facts.currency);
      const parsed = attempt(() => {
        if (selectors) requireSelector(raw, Object.keys(schema.shape), selectors);
        return parseParameters(schema, raw, emptiable);
      });
      return {
        // Unreadable parameters have no parsed form: what was sent in the known fields stands for them.
        identity: parsed.ok ? parsed.value : { unreadable: knownFields(schema, raw) },
        async answer(ctx) {
          permit?.(ctx, raw, facts);
          if (!parsed.ok) throw parsed.error;
          return answer(ctx, parsed.value, facts);
        },
      };
    },
  };
}

/** A schema takes far longer to build than to use. */
function onceForEach<Schema>(build: (currency: Currency) => Schema): (currency: Currency) => Schema {
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

function knownFields(schema: z.ZodObject, raw: RawParameters): RawParameters {
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, raw[field]]));
}
