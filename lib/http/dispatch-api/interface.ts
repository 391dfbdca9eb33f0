import type { ApiInterface, Endpoint, Target } from "#lib/http/endpoint.ts";
import { balance, bundles, products } from "./account.ts";
import { bundleChangeIp, bundleInfo, bundleRegister, bundleRenew } from "./bundle.ts";
import { presentDispatchError } from "./error-table.ts";
import {
  licenseChangeCore,
  licenseChangeIp,
  licenseInfo,
  licenseRegister,
  licenseRenew,
  licenseSuspend,
  licenseUnsuspend,
} from "./license.ts";

/** Reads only `X-API-Key` (decisions 1.2). */
export const dispatchInterface: ApiInterface = {
  name: "dispatch",
  mediaTypes: ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"],
  readToken: (headers) => headers.get("x-api-key"),
  presentError: presentDispatchError,
};

/** The operations of dispatch document part 4, and `bundle.info` (decisions 3.10). */
export const operations: readonly Endpoint[] = [
  licenseRegister,
  licenseRenew,
  licenseChangeIp,
  licenseChangeCore,
  licenseSuspend,
  licenseUnsuspend,
  licenseInfo,
  bundleRegister,
  bundleRenew,
  bundleChangeIp,
  bundleInfo,
  balance,
  products,
  bundles,
];

const targets: ReadonlyMap<string, Target> = new Map(
  operations.map((endpoint) => [endpoint.name, { endpoints: { [endpoint.method]: endpoint }, pathParameters: {} }]),
);

/** `endpoint` is read from the query alone; given twice it names nothing (decisions 1.7). */
export function findOperation(url: URL): Target {
  const [name, ...others] = url.searchParams.getAll("endpoint");
  return (name !== undefined && others.length === 0 && targets.get(name)) || null;
}
