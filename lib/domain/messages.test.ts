import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Which no form can show: the interfaces alone return them, or they are about the columns of a table. */
const OF_INTERFACES = [
  "lib/domain/registration-import.ts: auto_renew must be yes or no.",
  "lib/domain/registration-import.ts: customer_email ….",
  "lib/domain/registration-import.ts: customer_name ….",
  "lib/domain/registration-import.ts: customer_reference ….",
  "lib/services/diagnostics/get.ts: Choose a server by license_key, license_id, ip_address or server.",
  "lib/services/license/status.ts: Several licenses are on this address. Choose one by license_id, or add type.",
  "lib/services/operation/get.ts: No operation of yours has this operation_id.",
];

/** Comments, and texts in quotes. */
const TOKENS = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{[^{}]*\}|[^`\\])*`/g;
const OF_API = /\b[a-z]+_[a-z_]+\b(?!:)|\b(?:by|in) the operation\b/;

test("no message that a form can show names a parameter or an operation of the interfaces", () => {
  const named = ["lib/services", "lib/domain"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      // Codes of the chats, which an endpoint's log quotes.
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "chat-answer.ts")
      .flatMap((path) => messagesOf(join(root, folder, path)).map((message) => `${folder}/${path}: ${message}`)),
  );
  expect(named.filter((message) => OF_API.test(message)).toSorted()).toEqual(OF_INTERFACES);
});

/** Texts of several words, whatever they are for. */
function messagesOf(path: string): string[] {
  const tokens = [...readFileSync(path, "utf8").matchAll(TOKENS)].map(([token]) => token);
  return tokens
    .filter((token) => !token.startsWith("/"))
    .map((token) => token.slice(1, -1).replaceAll(/\$\{[^{}]*\}/g, "…"))
    .filter((text) => text.includes(" "));
}
