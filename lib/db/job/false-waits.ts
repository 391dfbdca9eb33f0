import { int } from "#lib/db/connection/columns.ts";
import { defineGetValue } from "#lib/db/connection/define.ts";

/** `prisma/sql/functions/end_false_waits.sql`. */
export const endFalseWaitRows = defineGetValue("end_false_waits", { ended: int })<[now: Date]>`
      select end_false_waits($1) as ended`;
