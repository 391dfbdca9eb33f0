import { expect, test } from "vitest";
import { SubmissionError } from "./submission-error.tsx";

test("what did not happen is said once, by the server's message or below it", () => {
  const below = (message: string) => {
    const failure = { code: "provider_unavailable", message, fields: {}, charge: null, requestId: null } as const;
    return SubmissionError({ failure, refusalNote: "Nothing was charged." }).props.description;
  };
  expect(below("The provider cannot be reached. Nothing was charged. Try again later.")).toBeUndefined();
  expect(below("The provider rejected it.")).toBe("Nothing was charged.");
});
