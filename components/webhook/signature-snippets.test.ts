import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createWebhookSecret, signWebhook } from "#lib/domain/webhook-signature.ts";
import { byHandSnippet } from "./signature-snippets.ts";

test("the command prints the signature that the message carries, whatever its body holds", () => {
  const secret = createWebhookSecret((count) => Uint8Array.from({ length: count }, (_, index) => 255 - index));
  const body = JSON.stringify({ data: { notes: `it's "so"; $HOME %s \\n ${"ü"}` } });
  const headers = signWebhook({ id: "evt_1", sentAt: new Date("2026-11-20T10:00:00Z"), body }, [secret]);
  const command = byHandSnippet(headers, body).replace("whsec_…", secret);
  const printed = execFileSync("sh", ["-c", command], { encoding: "utf8" }).trim();
  expect(printed).toBe(headers["webhook-signature"]);
});
