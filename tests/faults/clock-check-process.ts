/** What a starting server asks of its clock, as a process of its own: prints why it would not start. */
import { requireAgreeingClocks } from "#lib/server/clock-check.ts";

await requireAgreeingClocks(String(process.argv[2])).catch((error: Error) => process.stderr.write(error.message));
