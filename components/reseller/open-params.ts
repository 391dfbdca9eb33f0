import { createLoader, createSerializer } from "nuqs/server";
import { parseAsText } from "#components/ui/list-params.ts";
import { toLocalPath } from "#lib/domain/local-path.ts";

/** A page of the reseller that an admin looked for: opening it asks to act as the reseller. */
const openParams = { open: parseAsText((text) => toLocalPath(text) === text) };

export const loadOpen = createLoader(openParams);
export const openHref = createSerializer(openParams);
