import type { IncomingMessage, ServerResponse } from "node:http";
import type { DomainError } from "#lib/domain/errors.ts";
import { BodyChecker, type BodyRules } from "./body-checker.ts";

/**
 * Receives and checks the whole body, then passes on the request as if untouched. A rejected body is discarded; the
 * caller sends the rejection.
 */
export function receiveBody(
  response: ServerResponse,
  rules: BodyRules,
  passOn: () => void,
  reject: (error: DomainError) => void,
): void {
  const { req: request } = response;
  if (!hasBody(request)) {
    passOn();
    return;
  }
  const checker = new BodyChecker(rules);
  const push = request.push.bind(request);
  const stop = (error: DomainError) => {
    checker.release();
    request.push = (piece) => (piece === null ? push(null) : true);
    reject(error);
  };
  const tooMuch = checker.checkSize(Number(request.headers["content-length"] ?? 0));
  if (tooMuch) {
    stop(tooMuch);
    return;
  }
  response.once("close", () => checker.release());
  request.push = (piece: Uint8Array | null) => {
    const problem = piece === null ? checker.end() : checker.add(piece);
    if (problem) {
      stop(problem);
      return request.push(piece);
    }
    push(piece);
    if (piece === null) passOn();
    // Keep reading: the body is needed whole, and the rules bound it.
    return true;
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}
