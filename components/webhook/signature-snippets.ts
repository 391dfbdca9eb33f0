import { CHALLENGE_KIND } from "#lib/domain/events.ts";

/** A receiver's code, with the library of Standard Webhooks. */
export function librarySnippet(): string {
  return [
    'import { Webhook } from "standardwebhooks";',
    "",
    "const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…",
    "",
    "// Pass the raw body. Throws if the signature is wrong or the message is old.",
    "const { event, data } = webhook.verify(rawBody, request.headers);",
    "",
    "// The first message: confirms that you want events at this URL.",
    `if (event === "${CHALLENGE_KIND}") return response.end(data.challenge);`,
  ].join("\n");
}

/** A shell command that prints the signature of one message; the secret stays in a variable. */
export function byHandSnippet(headers: Readonly<Record<string, string>>, body: string): string {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return [
    "WEBHOOK_SECRET='whsec_…'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    'KEY=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d " \\n")',
    `printf %s ${linesOf(signed).map(shellQuoted).join(" \\\n  ")} |`,
    '  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64 | sed "s/^/v1,/"',
  ].join("\n");
}

const LINE_LENGTH = 64;

/** Whole characters, in parts that fit into a narrow page; `printf %s` prints its arguments as one. */
function linesOf(text: string): string[] {
  return text.match(new RegExp(`.{1,${LINE_LENGTH}}`, "gsu")) ?? [];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
