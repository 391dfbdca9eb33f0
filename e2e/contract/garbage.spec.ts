import fc from "fast-check";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { apis, type GarbageRequest, garbage } from "../support/garbage.ts";
import { type Answer, verdictOf } from "../support/http.ts";
import { undocumented } from "../support/openapi.ts";
import { rightValues } from "../support/right-values.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

/** Another one throws other garbage: `FUZZ_SEED=… FUZZ_RUNS=… npx playwright test garbage`. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_271);
const RUNS = Number(process.env.FUZZ_RUNS ?? 200);
/** On a machine that has no time for all of them, these are as many as there is time for. */
const AT_MOST_MS = Number(process.env.FUZZ_MS ?? 4_000);

/** All that a request may change, but for what is kept of the request itself and what the worker writes. */
async function digest({ resellerId }: Reseller): Promise<string> {
  const [row] = await getRuntime().db.query(
    sql<{ digest: string }>(`
      select md5(string_agg(row, ';' order by row)) as digest from (
        select w::text as row from wallets w where reseller_id = $1
        union all select e::text from ledger_entries e join wallets w on w.reseller_id = e.reseller_id where w.reseller_id = $1
        union all select l::text from licenses l where reseller_id = $1
        union all select b::text from bundle_instances b where reseller_id = $1
        union all select o::text from operations o where reseller_id = $1
        union all select v::text from events v where reseller_id = $1
        union all select r::text from diagnostics_reports r where reseller_id = $1
        union all select row(w.id, format, url, chat_id, description, kinds, concurrency, ordered, paused_at, secret)::text
                    from webhook_endpoints w where reseller_id = $1) rows`),
    [resellerId],
  );
  return row?.digest ?? "";
}

type Api = (typeof apis)[number];

/** The error of a message is that of a tool, or of the protocol. */
function mcpVerdict({ status, text }: Answer): string {
  const { result, error } = text === "" ? {} : JSON.parse(text);
  if (error) return `${status} ${error.data?.code ?? error.code}`;
  return result?.isError ? `${status} ${result.content[0].text.split(":", 1)[0]}` : String(status);
}

function expectContract(api: Api, { method }: GarbageRequest, answer: Answer): void {
  const { status, body, text } = answer;
  expect([2, 4], `${status} ${text.slice(0, 500)}`).toContain(Math.floor(status / 100));
  if (method === "HEAD") expect(text).toBe("");
  if (method === "HEAD" || status < 400) return;
  if (api === "mcp") {
    const error = { code: expect.any(Number), message: expect.stringMatching(/\S/) };
    expect(body).toMatchObject({ jsonrpc: "2.0", error });
    return;
  }
  expect(body).toEqual({
    ...(api === "dispatch" ? { success: false } : {}),
    error: true,
    code: expect.stringMatching(/^[A-Z]+(_[A-Z]+)*$/),
    message: expect.stringMatching(/^\S.*[.!?]$/s),
    details: expect.any(Object),
  });
  for (const detail of Object.values(body.details)) expect(String(detail)).toMatch(/\S/);
}

for (const api of apis) {
  test(
    `whatever is sent to ${api}, no answer is a 5xx or of another form, and an error changes nothing (contract 1.3, 1.7; seed ${SEED})`,
    undocumented,
    async ({ newReseller }) => {
      const reseller = await newReseller({ funds: "1000000" });
      const right = await rightValues(reseller, await newReseller());
      const keys = { own: reseller.apiKey, none: null, wrong: `${reseller.apiKey.slice(0, -1)}!` };
      const verdicts = new Map<string, number>();
      let sent = 0;
      let before = await digest(reseller);
      await fc.assert(
        fc.asyncProperty(garbage(api, right), async ({ key, ...request }) => {
          const client = api === "dispatch" ? reseller.dispatch : reseller.path;
          const answer = await client.send(request, { key: keys[key] });
          const verdict = api === "mcp" ? mcpVerdict(answer) : verdictOf(answer);
          sent += 1;
          verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
          expectContract(api, { key, ...request }, answer);
          const after = await digest(reseller);
          if (!/^20\d$/.test(verdict)) expect(after).toBe(before);
          before = after;
        }),
        { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: AT_MOST_MS, markInterruptAsFailure: false },
      );
      // Garbage that never gets past the door would test the door alone.
      if (sent < RUNS) return;
      expect(verdicts.get("200")).toBeGreaterThan(sent / 10);
      expect(verdicts.size).toBeGreaterThan(8);
    },
  );
}
