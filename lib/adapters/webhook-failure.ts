/** Webhooks must not go to the host's address. */
export class BlockedTargetError extends Error {
  override readonly name = "BlockedTargetError";
  constructor() {
    super(
      "The host's address is private or reserved, or this server's own: webhooks only go to other public addresses.",
    );
  }
}

const MS_PER_SECOND = 1_000;

const sentences: readonly (readonly [code: RegExp, sentence: string])[] = [
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_|EREFUSED|EBADNAME|EFORMERR)/, "The host name could not be resolved"],
  [/^(ETIMEOUT|ECANCELLED)$/, "The host name was not resolved in time"],
  [/^ECONNREFUSED$/, "The connection was refused"],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, "The host cannot be reached"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "The host did not accept the connection in time"],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, "The response headers are too large"],
  [/^(HPE_|HTTPParserError)/, "The response is not HTTP"],
  [/^CERT_HAS_EXPIRED$/, "TLS failed: the certificate has expired"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "TLS failed: the certificate is for another host name"],
  [/SELF_SIGNED|^UNABLE_TO_|^CERT_/, "TLS failed: the certificate is not trusted"],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, "TLS failed"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/, "The connection broke before the response"],
];

/**
 * Why there was no response, as a sentence for the endpoint's owner: derived from the error's code, never its message.
 * @param timedOutMs the attempt's timeout, if that ended it
 */
export function describeFailure(error: unknown, timedOutMs: number | null): string {
  if (error instanceof BlockedTargetError) return error.message;
  if (timedOutMs === MS_PER_SECOND) return "No response within a second.";
  if (timedOutMs !== null) return `No response within ${timedOutMs / MS_PER_SECOND} seconds.`;
  const code = codeOf(error);
  const sentence = sentences.find(([pattern]) => pattern.test(code))?.[1] ?? "The request failed";
  return `${sentence} (${code}).`;
}

function codeOf(error: unknown): string {
  const { code, name, cause, errors } = (error ?? {}) as Partial<NodeJS.ErrnoException & AggregateError>;
  if (typeof code === "string" && code !== "") return code;
  const inner = cause ?? errors?.[0];
  return inner === undefined ? (name ?? "no code") : codeOf(inner);
}
