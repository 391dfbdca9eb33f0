import type { EventKind } from "./events.ts";
import { type BundleInstanceId, parseLicenseId } from "./ids.ts";
import { minorDigits, parseCurrency } from "./money.ts";
import { describeRenewalFailure } from "./renewal-failure.ts";
import { clip, unlinked } from "./text.ts";

const VALUE_MAX_LENGTH = 300;
const UNKNOWN = "unknown";
/** Names and addresses whose dots are shown as they are. */
const dottedFields: ReadonlySet<string> = new Set(["server", "operation", "ip_address", "old_ip", "new_ip"]);

/** A field of the event's data as text that is only text in a chat. */
type Read = (field: string) => string;

interface Facts {
  readonly data: Readonly<Record<string, unknown>>;
  readonly of: Read;
}

/** One sentence for each kind, after its subject. */
const sentences: Readonly<Record<EventKind, (facts: Facts) => string>> = {
  "license.activated": () => "is active",
  "license.renewed": ({ of }) => `renewed until ${day(of("expires_at"))}`,
  "license.suspended": ({ of }) => `suspended: ${of("reason")}`,
  "license.unsuspended": () => "is active again",
  "license.ip_changed": changeOfIp,
  "license.cores_changed": ({ of }) => `cores changed from ${of("old_cores")} to ${of("new_cores")}`,
  "license.updated": ({ data, of }) => (data.expires_at ? `now expires on ${day(of("expires_at"))}` : "changed"),
  "license.expiring_soon": ({ data, of }) => {
    const expires = `expires on ${day(of("expires_at"))}`;
    if (data.price !== undefined) return `${expires}; auto-renew will cost ${money(data, "price")}${previously(data)}`;
    return `${expires}, auto-renew is ${data.auto_renew === true ? "on" : "off"}`;
  },
  "license.expired": ({ of }) => `expired on ${day(of("expires_at"))}`,
  "license.terminated": () => "terminated",
  "license.registration_failed": () => "could not be registered",
  "license.renewal_failed": ({ data, of }) => {
    const price = data.price === undefined ? "" : `, ${money(data, "price")}${previously(data)}`;
    return `could not be renewed: ${describeRenewalFailure(of("reason"))}${price}`;
  },
  "bundle.registered": ({ of }) => `registered on ${of("ip_address")}`,
  "bundle.renewed": ({ of }) => `renewed until ${day(of("expires_at"))}`,
  "bundle.ip_changed": changeOfIp,
  "wallet.topped_up": ({ data }) => `Wallet topped up by ${money(data, "amount")}`,
  "wallet.low_balance": ({ data }) =>
    `Available balance ${money(data, "balance")} is below ${money(data, "threshold")}`,
  "operation.settled": ({ of }) => `${of("operation")} ${of("outcome")}`,
};

/** An event as one English sentence with a link to its subject. Whatever the data holds, it is plain text in chats. */
export function writeChatText(
  event: {
    readonly kind: EventKind;
    readonly data: Readonly<Record<string, unknown>>;
    /** Of the license; null: the event has none, or a test's. */
    readonly productName: string | null;
  },
  { publicUrl, testMode }: { readonly publicUrl: string; readonly testMode: boolean },
): string {
  const { kind, data, productName } = event;
  const of: Read = (field) => toPlainText(data[field], dottedFields.has(field));
  // Of a later version, which a worker of this one meets while instances are updated.
  const write = Object.hasOwn(sentences, kind) ? sentences[kind] : () => kind;
  const mode = data.test === true ? "Test event: " : testMode ? "Test mode: " : "";
  const sentence = `${mode}${subjectOf(data, of, productName)}${write({ data, of })}`;
  return `${sentence.replace(/\.+$/, "")}. ${publicUrl}${pathOf(kind, data)}`;
}

/** Asks the chat for consent: only its readers see the code. */
export function writeCodeText(code: string, endpointUrl: string): string {
  return `License Desk code: ${code}. Enter it on the page of the webhook endpoint to receive events in this chat: ${endpointUrl}. If nobody here asked for this, ignore it: nothing else is sent without the code.`;
}

function subjectOf(data: Facts["data"], of: Read, productName: string | null): string {
  if (data.license_id !== undefined) return `${of("server")}: ${toPlainText(productName ?? data.type)} `;
  return data.bundle_instance_id === undefined ? "" : `Bundle ${of("bundle_instance_id")} `;
}

function pathOf(kind: EventKind, { license_id, bundle_instance_id }: Facts["data"]): string {
  if (kind.startsWith("wallet.")) return "/wallet";
  if (bundle_instance_id !== undefined) {
    const id = bundle_instance_id as BundleInstanceId;
    return Number.isSafeInteger(id) && id > 0 ? `/bundles/${id}` : "/bundles";
  }
  const id = typeof license_id === "string" ? parseLicenseId(license_id) : null;
  return id === null ? "/licenses" : `/licenses/${id}`;
}

function changeOfIp({ of }: Facts): string {
  return `IP changed from ${of("old_ip")} to ${of("new_ip")}`;
}

function previously(data: Facts["data"]): string {
  return typeof data.previous_price === "number" ? ` instead of ${money(data, "previous_price")}` : "";
}

function money(data: Facts["data"], field: string): string {
  const amount = data[field];
  const currency = parseCurrency(String(data.currency));
  if (typeof amount !== "number" || currency === null) return UNKNOWN;
  return `${amount.toFixed(minorDigits(currency))} ${currency}`;
}

function day(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T.*Z$/, "$1 UTC");
}

/** What Slack, Mattermost, Discord or Telegram would read as a mention, link, emphasis or code. */
const markup: Readonly<Record<string, string>> = {
  "<": "‹",
  ">": "›",
  "[": "(",
  "]": ")",
  "*": "∗",
  "~": "∼",
  "`": "'",
  "|": "¦",
  "\\": "∖",
  "#": "♯",
  "@": "＠",
};

/** Without control, direction and invisible characters, markup, mentions, links and line breaks; cut to be readable. */
function toPlainText(value: unknown, keepsDots = false): string {
  if (typeof value !== "string" && typeof value !== "number") return UNKNOWN;
  const plain = String(value)
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Z}]+/gu, " ")
    .replaceAll(/[<>[\]*~`|\\#@]/g, (character) => markup[character] ?? " ")
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|_{2,}/gu, "-")
    .trim();
  const text = keepsDots ? plain.replaceAll("://", ": //") : unlinked(plain);
  return text === "" ? UNKNOWN : clip(text, VALUE_MAX_LENGTH);
}
