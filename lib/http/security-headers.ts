/** Headers of every response but the API's, which has its own (`response.ts`). */
export const securityHeaders = {
  // For all that is no page, such as downloads and next-auth's own forms: no script. Pages have `pagePolicy`.
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

/** For a desk that is reached over https: browsers then never try http again. */
export const strictTransportSecurity = { "Strict-Transport-Security": `max-age=${TWO_YEARS_S}` } as const;

/**
 * What a page may load and run: scripts with this nonce, which Next puts on its own, and those that they load. React
 * writes `style` attributes, for bars and charts whose sizes are data; style elements and foreign sheets stay forbidden.
 */
export function pagePolicy(nonce: string, isDevelopment: boolean): string {
  return joinDirectives([
    "default-src 'self'",
    // Browsers that know 'strict-dynamic' ignore 'self'; for others it is the next best.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ""}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
}

function joinDirectives(directives: readonly string[]): string {
  return directives.join("; ");
}
