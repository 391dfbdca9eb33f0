import { type Command, type Context, EXIT, numberOption, textOf, UsageError } from "./cli-context.ts";
import type { EventsParams, EventsResult } from "./index.ts";
import { sleep } from "./retry.ts";

type Row = EventsResult["events"][number];

const POLL_MS = 2_000;
const PAGE_SIZE = 100;
const DEFAULT_LINES = 10;

/** Events that were written since, oldest first. Events of one page may become visible out of order. */
async function readNew({ desk }: Context, params: EventsParams, seen: ReadonlySet<string>): Promise<Row[]> {
  const found: Row[] = [];
  for (let cursor: string | null | undefined; ; ) {
    const page = await desk.events.page({ ...params, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) });
    found.push(...page.events.filter(({ id }) => !seen.has(id)));
    cursor = page.next_cursor;
    if (!cursor || page.events.some(({ id }) => seen.has(id))) return found.reverse();
  }
}

export const tailEvents: Command = {
  summary: "Show the last events, and new ones as they happen.",
  operands: [],
  options: {
    kind: { type: "string", value: "<kind>", help: "only this kind" },
    lines: { type: "string", value: "<number>", help: `events before now; default: ${DEFAULT_LINES}` },
  },
  async run(context) {
    const { desk, print, io } = context;
    const lines = numberOption(context, "lines") ?? DEFAULT_LINES;
    if (lines > PAGE_SIZE) throw new UsageError(`--lines is at most ${PAGE_SIZE}.`);
    const kind = textOf(context, "kind");
    const params = (kind === undefined ? {} : { kind }) as EventsParams;
    const show = (events: readonly Row[]) =>
      print.rows(events, ({ timestamp, event, license_id, data }) => {
        const { license_id: _, ...fields } = data;
        return { timestamp, event, license: license_id ?? "", data: JSON.stringify(fields) };
      });
    const { events } = await desk.events.page({ ...params, limit: PAGE_SIZE });
    const seen = new Set(events.map(({ id }) => id));
    await show(events.slice(0, lines).reverse());
    while (!io.signal?.aborted) {
      await sleep(POLL_MS);
      const added = await readNew(context, params, seen);
      for (const { id } of added) seen.add(id);
      await show(added);
    }
    return EXIT.done;
  },
};
