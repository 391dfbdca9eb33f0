import type { ServerResponse } from "node:http";
import { codeOf } from "#lib/domain/observation.ts";
import { sourceAddress } from "#lib/domain/source-address.ts";
import type { Protection } from "./protection.ts";

/** Next's own files, and others with a name like one. No page has a dot in its last segment. */
const filePath = /^\/_next\/|^[^?]*\.[^/?]*(?:\?|$)/;

/** Reports the answer to a request that is not for the API, once it is sent or its client is gone. */
export function observePage(
  response: ServerResponse,
  { pageAnswered, trustedProxies }: Pick<Protection, "pageAnswered" | "trustedProxies">,
): void {
  const startMs = performance.now();
  const { url = "", headers, socket } = response.req;
  const operation = filePath.test(url) ? "file" : "page";
  const forwardedFor = headers["x-forwarded-for"];
  const peer = socket.remoteAddress ?? "";
  response.once("close", () => {
    const { statusCode: status, writableFinished } = response;
    pageAnswered({
      interface: "page",
      operation,
      code: writableFinished ? codeOf(status) : "aborted",
      status,
      durationMs: performance.now() - startMs,
      requestId: null,
      key: null,
      resellerId: null,
      source: sourceAddress({ peer, forwardedFor: String(forwardedFor ?? ""), trustedProxies }),
    });
  });
}
