import type { NewApiKey } from "#lib/db/api-key/api-key.ts";
import { parseCidr } from "#lib/domain/cidr.ts";
import { invalidParameters, malformed, type ParameterProblem } from "#lib/domain/errors.ts";
import { agentScopes, scopes as allScopes, includesScope } from "#lib/domain/scopes.ts";
import { findNameProblem } from "#lib/services/user/fields.ts";

const MAX_RATE_LIMIT_PER_MINUTE = 1_000_000;
const CIDRS_MAX = 100;

export type ApiKeyFields = Pick<
  NewApiKey,
  "name" | "scopes" | "cidrs" | "licenseId" | "rateLimitPerMinute" | "expiresAt"
>;

/** @throws DomainError `parameters_invalid` with everything that is wrong. */
export function checkApiKeyFields(fields: ApiKeyFields, now: Date): void {
  const { name, scopes, cidrs, licenseId, rateLimitPerMinute, expiresAt } = fields;
  const problems: ParameterProblem[] = [];
  const complain = (field: string, message: string) => problems.push({ field, kind: "malformed", message });
  const nameProblem = findNameProblem(name.trim());
  if (nameProblem !== null) complain("name", nameProblem);
  if (scopes.length === 0) complain("scopes", `must name at least one of ${allScopes.join(", ")}`);
  if (licenseId !== null && !scopes.every((scope) => includesScope(agentScopes, scope))) {
    complain("scopes", `can only be ${agentScopes.join(" and ")} for a key that is bound to one license`);
  }
  const badCidr = cidrs.find((cidr) => parseCidr(cidr) === null);
  if (badCidr !== undefined) complain("cidrs", `has ${badCidr}, which is no address range such as 203.0.113.0/24`);
  if (cidrs.length > CIDRS_MAX) complain("cidrs", `must have at most ${CIDRS_MAX} ranges`);
  if (!isRateLimit(rateLimitPerMinute)) complain("rate_limit", RATE_LIMIT_MESSAGE);
  if (expiresAt !== null && !(expiresAt > now)) complain("expires_at", "must be in the future");
  if (problems.length > 0) throw invalidParameters(problems);
}

/** @throws DomainError `parameters_invalid` */
export function checkRateLimit(requestsPerMinute: number): void {
  if (isRateLimit(requestsPerMinute)) return;
  throw malformed("rate_limit", RATE_LIMIT_MESSAGE);
}

const RATE_LIMIT_MESSAGE = `must be requests per minute, 1 to ${MAX_RATE_LIMIT_PER_MINUTE}`;

function isRateLimit(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_RATE_LIMIT_PER_MINUTE;
}
