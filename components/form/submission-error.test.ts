import { expect, test } from "vitest";
import { providerBusy, providerUnavailable } from "#lib/services/provider/get.ts";
import { SubmissionError } from "./submission-error.tsx";

test("what did not happen is said once, in the form's own words: in the server's message or below it", () => {
  const shown = (message: string, refusalNote?: string) => {
    const failure = { code: "provider_unavailable", message, fields: {}, charge: null, requestId: null } as const;
    const { title, description } = SubmissionError({ failure, ...(refusalNote && { refusalNote }) }).props;
    return [title, description];
  };
  const unreachable = providerUnavailable().message;
  for (const note of ["Nothing was changed.", "Nothing was charged.", "It is still suspended."]) {
    expect(shown(unreachable, note)).toEqual([`The provider cannot be reached. ${note} Try again later.`, undefined]);
  }
  expect(shown(providerBusy(2_000).message, "Nothing was charged.")[0]).toMatch(/moment\. Nothing was charged\. Try/);
  expect(shown(unreachable)).toEqual([unreachable, undefined]);
  const rejected = "The provider rejected it.";
  expect(shown(rejected, "Nothing was charged.")).toEqual([rejected, "Nothing was charged."]);
});
