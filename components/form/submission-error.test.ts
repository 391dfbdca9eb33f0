import { expect, test } from "vitest";
import type { DomainError } from "#lib/domain/errors.ts";
import { providerBusy, providerUnavailable } from "#lib/services/provider/get.ts";
import { SubmissionError } from "./submission-error.tsx";

test("what did not happen is said once, in the form's own words: in the server's message or below it", () => {
  const shown = (
    { message, aroundUnchanged }: Pick<DomainError, "message" | "aroundUnchanged">,
    refusalNote?: string,
  ) => {
    const nothing = { fields: {}, charge: null, requestId: null };
    const failure = { code: "provider_unavailable", message, aroundUnchanged, ...nothing } as const;
    const { title, description } = SubmissionError({ failure, ...(refusalNote && { refusalNote }) }).props;
    return [title, description];
  };
  const unreachable = providerUnavailable();
  for (const note of ["Nothing was changed.", "Nothing was charged.", "It is still suspended."]) {
    expect(shown(unreachable, note)).toEqual([`The provider cannot be reached. ${note} Try again later.`, undefined]);
  }
  expect(shown(providerBusy(2_000), "Nothing was charged.")[0]).toMatch(
    /moment\. Nothing was charged\. Try again in 2/,
  );
  expect(shown(unreachable)).toEqual([
    "The provider cannot be reached. Nothing was changed. Try again later.",
    undefined,
  ]);
  const rejected = { message: "The provider rejected it.", aroundUnchanged: undefined };
  expect(shown(rejected, "Nothing was charged.")).toEqual([rejected.message, "Nothing was charged."]);
});
