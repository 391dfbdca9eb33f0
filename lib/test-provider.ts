import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import { TEST_PROVIDER } from "#lib/db/provider/test-mode.ts";
import { takeRehearsal } from "#lib/db/reseller/sandbox.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";

/** The provider of test mode: the sandbox provider with other books, and with the failures that its users rehearse. */
export function createTestProvider(db: Database, timeoutMs: number): LicenseProvider {
  return createSandboxProvider({
    name: TEST_PROVIDER,
    books: openSandboxBooks(db, TEST_PROVIDER),
    timeoutMs,
    rehearse: ({ reference }) => takeRehearsal(db, reference),
  });
}
