import { expect, test } from "vitest";
import { providerUnavailable } from "#lib/services/provider/get.ts";
import { SubmissionError } from "./submission-error.tsx";

test("what did not happen is said once, by the server's message or below it", () => {
  const below = (message: string, refusalNote = "Nothing was charged.") => {
    const failure = { code: "provider_unavailable", message, fields: {}, charge: null, requestId: null } as const;
    return SubmissionError({ failure, refusalNote }).props.description;
  };
  const unreachable = providerUnavailable().message;
  expect(below(unreachable, "Nothing was changed.")).toBeUndefined();
  expect(below(unreachable, "It is still suspended.")).toBe("It is still suspended.");
  expect(below(unreachable)).toBe("Nothing was charged.");
  expect(below("The provider rejected it.")).toBe("Nothing was charged.");
});
