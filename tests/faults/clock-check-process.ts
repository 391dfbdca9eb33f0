/** The clock check of a starting server, in its own process: prints why it would not start. */
import { requireAgreeingClocks } from "#lib/server/clock-check.ts";

await requireAgreeingClocks(String(process.argv[2])).catch((error: Error) => process.stderr.write(error.message));
