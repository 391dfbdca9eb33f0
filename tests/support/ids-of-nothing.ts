import { NIL_UUID } from "#lib/domain/ids.ts";

/** As which an invalid id in a path is read, which is not found. */
export const idsOfNothing: readonly unknown[] = [NIL_UUID, 0];
