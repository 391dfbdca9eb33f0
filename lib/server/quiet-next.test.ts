import { expect, test } from "vitest";
import { unavailable } from "#lib/db/connection/errors.ts";
import { AccessEndedError } from "#lib/domain/access-ended.ts";
import { quietNext } from "./quiet-next.ts";

test("a page that fails because the database is unavailable prints nothing, nor does an unknown action or a response cut off for its reader; all else is printed", () => {
  const printed: unknown[][] = [];
  const print = (...parts: unknown[]) => void printed.push(parts);
  const target = { error: print, warn: print };
  quietNext(target);
  const fault = new Error("a fault of ours");
  target.error("⨯", unavailable(new Error("connect ECONNREFUSED")));
  target.warn(new Error('Failed to find Server Action "40". This request might be from another deployment.'));
  target.error(new AccessEndedError());
  target.error("⨯", new Error("failed to pipe response", { cause: new AccessEndedError() }));
  target.error("⨯", fault);
  target.warn(fault);
  target.error("⨯", { code: "unavailable" });
  target.error();
  expect(printed).toEqual([["⨯", fault], [fault], ["⨯", { code: "unavailable" }], []]);
});
