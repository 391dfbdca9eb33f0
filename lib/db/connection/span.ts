import type { SpanStart } from "#lib/domain/trace.ts";
import type { Statement } from "./statement.ts";

/** The span of a statement: by its name, never with its text or values. */
export function spanOf({ name = "unnamed" }: Statement<unknown>): SpanStart {
  return spanNamed(name);
}

export function spanNamed(name: string): SpanStart {
  return { name: `sql ${name}`, kind: "client", attributes };
}

const attributes = { "db.system.name": "postgresql" };
