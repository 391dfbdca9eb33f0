import { operations } from "#lib/http/dispatch-api/interface.ts";
import { pathTargets } from "#lib/http/path-api/interface.ts";
import { logNames } from "#lib/mcp/tools.ts";

/** What a log can be filtered by: the operations of both interfaces, and tools, by name. */
export const operationNames: readonly string[] = [
  ...new Set([
    ...[...operations, ...Object.values(pathTargets).flatMap((byMethod) => Object.values(byMethod))].map(
      ({ name }) => name,
    ),
    ...logNames,
  ]),
].toSorted();
