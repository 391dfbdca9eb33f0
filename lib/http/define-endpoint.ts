import type { z } from "zod";
import type { Scope } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { Answer, Endpoint, Method, RequestFacts } from "./endpoint.ts";
import { parseParameters } from "./parameters.ts";

interface Definition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly method: Method;
  readonly scope: Scope;
  /** Fields in the documented order of the parameters. */
  readonly parameters: Schema;
  /** Calls one service and presents its result. */
  answer(ctx: ServiceContext, parameters: z.output<Schema>, facts: RequestFacts): Promise<Answer>;
}

export function defineEndpoint<Schema extends z.ZodObject>(definition: Definition<Schema>): Endpoint {
  const { parameters, answer, ...rest } = definition;
  return { ...rest, answer: async (ctx, raw, facts) => answer(ctx, parseParameters(parameters, raw), facts) };
}
