import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { bulkItemStates } from "#lib/domain/bulk.ts";
import { AllOrNothingNotice } from "./all-or-nothing-notice.tsx";

const counts = (given: object) => ({ ...Object.fromEntries(bulkItemStates.map((state) => [state, 0])), ...given });

test("a job that ended half reverted says so first, also while an outcome is unknown", () => {
  const job = { state: "finished", counts: counts({ failed: 1, pending: 1 }), notReverted: 1 };
  const shown = renderToStaticMarkup(
    createElement(AllOrNothingNotice, { job: { ...job, postponed: null, awaited: null } as never }),
  );
  expect(shown).toMatch(/1 change could not be reverted.*It stays at the new address.*1 outcome is still unknown/);
});
