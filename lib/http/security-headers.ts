/** Headers of every response except the API's (`response.ts`). */
export const securityHeaders = {
  // For everything but pages, such as downloads and next-auth's forms: no scripts. Pages use `pagePolicy`.
  "Content-Security-Policy": joinDirectives([
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;

const TWO_YEARS_S = 63_072_000;

/** For deployments behind https: browsers then never use http. */
export const strictTransportSecurity = { "Strict-Transport-Security": `max-age=${TWO_YEARS_S}` } as const;

/**
 * Policy of a page: scripts with this nonce, which Next sets, and scripts that they load. React writes `style`
 * attributes for bars and charts sized by data; style elements and foreign style sheets stay forbidden.
 */
export function pagePolicy(nonce: string, isDevelopment: boolean): string {
  return joinDirectives([
    "default-src 'self'",
    // Browsers that support 'strict-dynamic' ignore 'self'; others fall back to it.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ""}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
}

function joinDirectives(directives: readonly string[]): string {
  return directives.join("; ");
}
