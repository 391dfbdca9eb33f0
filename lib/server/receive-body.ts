import type { IncomingMessage, ServerResponse } from "node:http";
import type { DomainError } from "#lib/domain/errors.ts";
import { BodyChecker, type BodyRules } from "./body-checker.ts";

/**
 * Receives the whole body before anybody reads it, and then hands on the request, whose body is there to be read as if
 * it had not been touched. Nothing of a refused body is kept. The refusal is the caller's to send.
 */
export function receiveBody(
  response: ServerResponse,
  rules: BodyRules,
  handOn: () => void,
  refuse: (error: DomainError) => void,
): void {
  const { req: request } = response;
  if (!hasBody(request)) {
    handOn();
    return;
  }
  const checker = new BodyChecker(rules);
  const push = request.push.bind(request);
  const stop = (error: DomainError) => {
    checker.release();
    request.push = (piece) => (piece === null ? push(null) : true);
    refuse(error);
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
    if (piece === null) handOn();
    // Reading goes on: the body is wanted whole, and the rules are what bounds it.
    return true;
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}
