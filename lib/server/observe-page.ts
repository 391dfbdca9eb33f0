import type { ServerResponse } from "node:http";
import { type AnsweredCall, codeOf } from "#lib/domain/observation.ts";

/** Next's own files, and others with a name like one. No page has a dot in its last segment. */
const filePath = /^\/_next\/|^[^?]*\.[^/?]*(?:\?|$)/;

/** Reports the answer to a request that is not for the API, once it is sent or its client is gone. */
export function observePage(response: ServerResponse, report: (call: AnsweredCall) => void): void {
  const startMs = performance.now();
  const operation = filePath.test(response.req.url ?? "") ? "file" : "page";
  response.once("close", () => {
    const code = response.writableFinished ? codeOf(response.statusCode) : "aborted";
    report({ interface: "page", operation, code, durationMs: performance.now() - startMs });
  });
}
