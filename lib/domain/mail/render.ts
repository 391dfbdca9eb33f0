/** A message as a list of blocks, from which both bodies are made. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
}

export type MailBlock =
  | { readonly kind: "text" | "heading"; readonly text: string }
  /** `url` null: hidden from who reads it in the outbox. */
  | { readonly kind: "link"; readonly label: string; readonly url: string | null; readonly isSpelledOut: boolean }
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "facts"; readonly facts: readonly (readonly [label: string, value: string])[] };

export interface MailBodies {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailFrame {
  /** Where the dashboard is. */
  readonly publicUrl: string;
  /** Where the reader switches these messages off; null if they cannot be. */
  readonly settingsUrl: string | null;
}

const MAX_SUBJECT_LENGTH = 150;
const HIDDEN_LINK = "The link is hidden here.";

export function renderMail({ subject, blocks }: MailContent, frame: MailFrame): MailBodies {
  const title = oneLine(subject).slice(0, MAX_SUBJECT_LENGTH);
  const text = [...blocks.map(blockText), `-- \n${footerLines(frame).join("\n")}`].join("\n\n");
  return { subject: title, text: `${text}\n`, html: page(title, htmlOf(blocks), frame) };
}

/** Names come from users: in a header or a line of text they must not start another one. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case "text":
    case "heading":
      return oneLine(block.text);
    case "link":
      return `${block.label}:\n${block.url ?? HIDDEN_LINK}`;
    case "lines":
      return block.lines.map((line) => `- ${oneLine(line)}`).join("\n");
    case "facts":
      return block.facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join("\n");
    default:
      return block satisfies never;
  }
}

/** Only the first link is filled: it is what to do. */
function htmlOf(blocks: readonly MailBlock[]): string {
  const first = blocks.find(({ kind }) => kind === "link");
  return blocks.map((block) => blockHtml(block, block === first)).join("\n");
}

const BUTTON = "display:inline-block;border-radius:8px;font-weight:600;text-decoration:none";
const FILLED = `${BUTTON};padding:12px 20px;background:#1d4ed8;color:#ffffff`;
const OUTLINED = `${BUTTON};padding:11px 19px;border:1px solid #c6cbd3;background:#ffffff;color:#16191d`;

function blockHtml(block: MailBlock, isFirstLink: boolean): string {
  switch (block.kind) {
    case "text":
      return html`<p style="margin:0 0 16px">${block.text}</p>`;
    case "heading":
      return html`<h2 style="margin:0 0 8px;font-size:16px;line-height:1.5;font-weight:600">${block.text}</h2>`;
    case "link":
      if (block.url === null) {
        return html`<p style="margin:24px 0 8px"><span style="display:inline-block;padding:12px 20px;border-radius:8px;background:#e6e8ec;color:#5b6472;font-weight:600">${block.label}</span></p>
<p style="margin:0 0 16px;font-size:13px;color:#5b6472">${HIDDEN_LINK}</p>`;
      }
      return (
        html`<p style="margin:${isFirstLink ? "24px" : "0"} 0 16px"><a href="${block.url}" style="${isFirstLink ? FILLED : OUTLINED}">${block.label}</a></p>` +
        (block.isSpelledOut
          ? html`<p style="margin:0 0 16px;font-size:13px;color:#5b6472;word-break:break-all">${block.url}</p>`
          : "")
      );
    case "lines":
      return `<ul style="margin:0 0 16px;padding-left:20px;overflow-wrap:anywhere">${block.lines
        .map((line) => html`<li style="margin:0 0 4px">${line}</li>`)
        .join("")}</ul>`;
    case "facts":
      return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${block.facts
        .map(
          ([label, value]) =>
            html`<tr><td style="padding:4px 16px 4px 0;color:#5b6472;vertical-align:top">${label}</td><td style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere">${value}</td></tr>`,
        )
        .join("")}</table>`;
    default:
      return block satisfies never;
  }
}

const SETTINGS_LABEL = "Choose which emails you get";

function footerLines({ publicUrl, settingsUrl }: MailFrame): string[] {
  const from = `License Desk, ${publicUrl}`;
  return settingsUrl === null ? [from] : [from, `${SETTINGS_LABEL}: ${settingsUrl}`];
}

function footerHtml({ publicUrl, settingsUrl }: MailFrame): string {
  const from = html`<div>License Desk, <a href="${publicUrl}" style="color:#5b6472">${publicUrl}</a></div>`;
  if (settingsUrl === null) return from;
  return from + html`<div><a href="${settingsUrl}" style="color:#5b6472">${SETTINGS_LABEL}</a></div>`;
}

function page(title: string, body: string, frame: MailFrame): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${html`<title>${title}</title>`}
</head>
<body style="margin:0;background:#f4f5f7">
<main style="display:block;max-width:560px;margin:0 auto;padding:24px 16px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#16191d">
<div style="padding:0 0 16px 24px;font-weight:600">License Desk</div>
<div style="padding:24px 24px 8px;border-radius:12px;background:#ffffff">
${html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${title}</h1>`}
${body}
</div>
<div style="padding:16px 24px;font-size:13px;color:#5b6472;overflow-wrap:anywhere">${footerHtml(frame)}</div>
</main>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Interpolations are text, which is escaped. */
function html(texts: TemplateStringsArray, ...values: readonly string[]): string {
  const escaped = values.map((value) => value.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? ""));
  return String.raw({ raw: texts }, ...escaped);
}
