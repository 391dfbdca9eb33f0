import { expect, test } from "vitest";
import { DomainError, domainErrorCodes, isTransient } from "#lib/domain/errors.ts";
import { dispatchInterface, operations } from "./dispatch-api/interface.ts";
import type { Endpoint } from "./endpoint.ts";
import { pathInterface, pathTargets } from "./path-api/interface.ts";

const endpoints: readonly Endpoint[] = [
  ...operations,
  ...Object.values(pathTargets).flatMap((byMethod) => Object.values(byMethod)),
];

test("every POST is listed here with its effect, and only writes accept a key (contract 1.11)", () => {
  const posts = endpoints.filter(({ method }) => method === "POST");
  const namesOf = (acceptsKey: boolean) =>
    posts.filter((endpoint) => endpoint.acceptsKey === acceptsKey).map(({ name }) => name);
  expect(namesOf(false).toSorted()).toEqual(["license.verify"]);
  expect(namesOf(true).toSorted()).toEqual([
    "bundle.change_ip",
    "bundle.register",
    "bundle.renew",
    "diagnostics.report",
    "events.resend",
    "license.change_core",
    "license.change_ip",
    "license.register",
    "license.renew",
    "license.set_auto_renew",
    "license.set_labels",
    "license.suspend",
    "license.terminate",
    "license.unsuspend",
    "license.update",
    "licenses.set_auto_renew",
    "licenses.terminate",
    "webhook_endpoints.create",
    "webhook_endpoints.rotate_secret",
    "webhook_endpoints.test",
    "webhook_endpoints.verify",
  ]);
});

test("no other method accepts a key (contract 1.11)", () => {
  expect(endpoints.filter(({ method, acceptsKey }) => acceptsKey && method !== "POST")).toEqual([]);
});

test("endpoint names are unique per interface, because request hashes contain them", () => {
  const names = endpoints.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

const UNAUTHORIZED = 401;
/** The request, and so its key, has not arrived. */
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;
/** Transient by code (contract 1.11), in addition to those transient by status. */
const transientCodes = ["INSUFFICIENT_BALANCE", "OPERATION_IN_PROGRESS", "PRICE_CHANGED", "IDEMPOTENCY_IN_PROGRESS"];
/** Transient although its code is that of a missing scope, which is not. */
const SPENDING_LIMIT = "spending_limit_reached";

test.each(domainErrorCodes)(
  "%s is stored exactly if the contract says so, on both interfaces (contract 1.11)",
  (code) => {
    const error = new DomainError(code, "RejectedRequest.");
    const replies = [dispatchInterface, pathInterface].map(({ presentError }) => presentError(error));
    const transient = replies.map(({ status, body }) => {
      const byStatus = [UNAUTHORIZED, REQUEST_TIMEOUT, TOO_MANY_REQUESTS].includes(status) || status >= SERVER_ERRORS;
      return byStatus || transientCodes.includes((body as { readonly code: string }).code);
    });
    // INSUFFICIENT_BALANCE has no separate code on the path interface.
    expect(transient.some(Boolean) || code === SPENDING_LIMIT).toBe(isTransient(code));
  },
);
