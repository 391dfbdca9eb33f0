import { operations } from "#lib/http/dispatch-api/interface.ts";
import { pathTargets } from "#lib/http/path-api/interface.ts";

/** What a log can be filtered by: the operations of both interfaces, by name. */
export const operationNames: readonly string[] = [
  ...new Set(
    [...operations, ...Object.values(pathTargets).flatMap((byMethod) => Object.values(byMethod))].map(
      ({ name }) => name,
    ),
  ),
].toSorted();
