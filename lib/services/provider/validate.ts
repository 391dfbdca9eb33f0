import { invalidParameters, type ParameterProblem, requireWellFormed } from "#lib/domain/errors.ts";

const namePattern = /^[a-z][a-z0-9_-]{0,39}$/;
const secretPattern = /^[\x21-\x7e]{1,200}$/;
const URL_MAX_LENGTH = 500;
const NAME_RULE = "must have up to 40 of a-z, 0-9, - and _, and start with a letter";
const SECRET_RULE = "must have 1 to 200 printable characters";

/** Absent fields are not checked. */
export interface ProviderFields {
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Null: requests are not signed. */
  readonly signingSecret?: string | null | undefined;
}

/**
 * Returns the normalized base address. The key is part of every request, so plain http requires `allowHttp`.
 * @throws DomainError `parameters_invalid`
 */
export function checkProviderFields(
  fields: ProviderFields,
  { allowHttp }: { readonly allowHttp: boolean },
): { readonly baseUrl: string | undefined } {
  const { name, baseUrl, apiKey, signingSecret } = fields;
  const parsed = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl, allowHttp);
  const schemes = allowHttp ? "http or https" : "https";
  requireWellFormed({
    name: name !== undefined && !namePattern.test(name) && NAME_RULE,
    base_url: parsed === null && `must be an ${schemes} address that ends in /api/v1/`,
    api_key: apiKey !== undefined && !secretPattern.test(apiKey) && SECRET_RULE,
    signing_secret: typeof signingSecret === "string" && !secretPattern.test(signingSecret) && SECRET_RULE,
  });
  return { baseUrl: parsed ?? undefined };
}

/** `https://licenses.example/api/v1` → with a trailing slash. Null: invalid, or with other parts. */
function parseBaseUrl(text: string, allowHttp: boolean): string | null {
  if (text.length > URL_MAX_LENGTH || !URL.canParse(text)) return null;
  const url = new URL(text);
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  const isSafe = url.protocol === "https:" || (allowHttp && url.protocol === "http:");
  if (!plain || !isSafe) return null;
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.pathname.endsWith("/api/v1/") ? url.href : null;
}

/**
 * A new address needs new credentials: an admin who redirects a provider must not receive the stored ones.
 * @throws DomainError `parameters_invalid`
 */
export function requireNewCredentials({ apiKey, signingSecret }: ProviderFields, signs: boolean): void {
  const kind = "missing";
  const message = "is required with another address: the stored one is not sent there";
  const problems: ParameterProblem[] = [];
  if (apiKey === undefined) problems.push({ field: "api_key", kind, message });
  if (signs && signingSecret === undefined) problems.push({ field: "signing_secret", kind, message });
  if (problems.length > 0) throw invalidParameters(problems);
}
