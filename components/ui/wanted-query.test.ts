import fc from "fast-check";
import { expect, test } from "vitest";
import { ask, changeQuery, searchedText, settle, type WantedQuery } from "./wanted-query.ts";

const start = (query: string): WantedQuery => ({ query, version: 0 });
const typed = (wanted: WantedQuery, q: string) => ask(wanted, changeQuery(wanted.query, { q }), { anew: false });
const clear = (wanted: WantedQuery) => ask(wanted, "", { anew: true });

test("what is typed after clearing, before the list has come, does not bring the old filter back", () => {
  let wanted = clear(start("status=active&q=old"));
  // Still shown, because the answer is on its way.
  wanted = settle(wanted, "status=active&q=old", true);
  wanted = typed(wanted, "new");
  expect(wanted.query).toBe("q=new");
  // The answer to clearing comes first.
  wanted = settle(wanted, "", true);
  wanted = settle(wanted, "q=new", false);
  expect(wanted).toEqual({ query: "q=new", version: 1 });
});

test("clearing empties the input, also of what has not been asked for yet", () => {
  expect(clear(start("status=active")).version).toBe(1);
});

test("a filter that is chosen while one types keeps what is typed, and typing on keeps the filter", () => {
  let wanted = typed(start(""), "we");
  wanted = ask(wanted, changeQuery(wanted.query, { status: "active" }), { anew: false });
  wanted = typed(wanted, "web");
  expect(wanted).toEqual({ query: "q=web&status=active", version: 0 });
});

test("going back shows in the input what the address says then", () => {
  const wanted = settle(typed(start("q=old"), "new"), "q=new", false);
  expect(wanted.version).toBe(0);
  expect(settle(wanted, "q=old", false)).toEqual({ query: "q=old", version: 1 });
});

test("an address that the server has understood otherwise is what counts once it has come", () => {
  const wanted = ask(start(""), "status=nonsense", { anew: false });
  expect(settle(wanted, "", true)).toBe(wanted);
  expect(settle(wanted, "", false)).toEqual({ query: "", version: 0 });
});

test("whatever is asked and answered in whatever order, nothing but the newest question is ever shown to the input", () => {
  const event = fc.oneof(
    fc.record({ do: fc.constant("type" as const), text: fc.constantFrom("a", "ab", "b", "") }),
    fc.record({ do: fc.constant("clear" as const) }),
    fc.record({ do: fc.constant("filter" as const), status: fc.constantFrom("active", "expired", null) }),
    fc.record({ do: fc.constant("answer" as const), of: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const asked = ["status=active&q=old"];
      let wanted = start("status=active&q=old");
      for (const one of events) {
        if (one.do === "answer") {
          const answer = asked[one.of % asked.length] as string;
          wanted = settle(wanted, answer, answer !== asked.at(-1));
        } else {
          if (one.do === "clear") wanted = clear(wanted);
          else if (one.do === "type") wanted = typed(wanted, one.text);
          else wanted = ask(wanted, changeQuery(wanted.query, { status: one.status }), { anew: false });
          asked.push(wanted.query);
        }
        expect(wanted.query).toBe(asked.at(-1));
        const cleared = asked.lastIndexOf("");
        if (cleared >= 0) expect(asked.slice(cleared).some((query) => searchedText(query) === "old")).toBe(false);
      }
    }),
  );
});
