import { DomainError } from "#lib/domain/errors.ts";
import type { ApiInterface, Endpoint, Target } from "#lib/http/endpoint.ts";
import { presentDispatchError } from "#lib/http/error-table.ts";
import { quote } from "#lib/http/quote.ts";
import { balance, bundles, me, products } from "./account.ts";
import { bundleChangeIp, bundleInfo, bundleRegister, bundleRenew } from "./bundle.ts";
import { licenseChangeCore, licenseChangeIp, licenseRegister, licenseRenew } from "./license.ts";
import { licenseInfo, licenseList } from "./license-info.ts";
import {
  licenseSetAutoRenew,
  licenseSetLabels,
  licenseSuspend,
  licenseTerminate,
  licenseUnsuspend,
} from "./license-state.ts";
import { operationInfo } from "./operation.ts";

const OPERATION_PARAMETER = "endpoint";

/** Reads only `X-API-Key` (contract 1.2). */
export const dispatchInterface: ApiInterface = {
  name: "dispatch",
  mediaTypes: ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"],
  operationParameter: OPERATION_PARAMETER,
  keyHeader: "X-API-Key",
  readToken: (headers) => headers.get("x-api-key"),
  unknownTarget(url) {
    const names = url.searchParams.getAll(OPERATION_PARAMETER);
    const [name = ""] = names;
    const given =
      names.length > 1 ? "is given more than once" : name === "" ? "is missing" : `${quote(name)} is not an operation`;
    const message = `The query parameter ${OPERATION_PARAMETER} ${given}. Send one such as ?endpoint=license.info.`;
    const known = operations.map((operation) => operation.name).join(", ");
    return new DomainError("operation_unknown", message, {
      details: { [OPERATION_PARAMETER]: `must be one of ${known}` },
    });
  },
  presentError: presentDispatchError,
};

/** The operations of dispatch-interface.md. */
export const operations: readonly Endpoint[] = [
  licenseRegister,
  licenseRenew,
  licenseChangeIp,
  licenseChangeCore,
  licenseSuspend,
  licenseUnsuspend,
  licenseTerminate,
  licenseSetAutoRenew,
  licenseSetLabels,
  licenseInfo,
  licenseList,
  bundleRegister,
  bundleRenew,
  bundleChangeIp,
  bundleInfo,
  operationInfo,
  me,
  balance,
  products,
  bundles,
];

const targets: ReadonlyMap<string, Target> = new Map(
  operations.map((endpoint) => [endpoint.name, { endpoints: { [endpoint.method]: endpoint }, pathParameters: {} }]),
);

/** Reads `endpoint` from the query only; duplicates match no operation (contract 1.7). */
export function findOperation(url: URL): Target {
  const [name, ...others] = url.searchParams.getAll(OPERATION_PARAMETER);
  return (name !== undefined && others.length === 0 && targets.get(name)) || null;
}
