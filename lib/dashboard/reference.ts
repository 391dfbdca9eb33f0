import { dirname, join, normalize } from "node:path";
import { Marked, type Tokens } from "marked";
import { readInstalledFile } from "./installed-file.ts";
import { parseCurl, sampleLanguages, writeSamples } from "./samples.ts";

export interface ReferencePage {
  /** Below `/docs`; empty: `/docs` itself. */
  readonly slug: string;
  readonly title: string;
  /** From the root of the repository. */
  readonly file: string;
}

/** The pages of the public reference, in the order of its navigation. */
export const referencePages: readonly ReferencePage[] = [
  { slug: "", title: "First call", file: "docs/first-call.md" },
  { slug: "dispatch-interface", title: "Dispatch interface", file: "docs/contract/dispatch-interface.md" },
  { slug: "path-interface", title: "Path interface", file: "docs/contract/path-interface.md" },
  { slug: "events", title: "Events and webhooks", file: "docs/contract/events.md" },
  { slug: "rules", title: "Rules", file: "docs/contract/rules.md" },
  { slug: "sandbox", title: "Sandbox", file: "docs/contract/sandbox.md" },
  { slug: "typescript", title: "TypeScript client", file: "clients/typescript/README.md" },
  { slug: "php", title: "PHP client", file: "clients/php/README.md" },
  { slug: "mcp", title: "MCP server", file: "docs/mcp.md" },
  { slug: "versioning", title: "Versioning", file: "docs/versioning.md" },
  { slug: "changelog", title: "Changelog", file: "docs/changelog.md" },
];

export interface ReferenceHeading {
  readonly id: string;
  readonly text: string;
  readonly level: 2 | 3;
}

export interface ReferenceText {
  readonly html: string;
  /** Of levels 2 and 3. */
  readonly headings: readonly ReferenceHeading[];
}

export function referenceHref({ slug }: ReferencePage): string {
  return slug === "" ? "/docs" : `/docs/${slug}`;
}

/** As GitHub makes anchors, by which the documents link to each other. */
function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
    .replaceAll(" ", "-");
}

/** Where a link of a document leads within the reference; null: to a file that the reference leaves out. */
function toReferenceHref(href: string, file: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = normalize(join(dirname(file), path));
  const page = referencePages.find((one) => one.file === target);
  if (!page) return null;
  return anchor === undefined ? referenceHref(page) : `${referenceHref(page)}#${anchor}`;
}

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Characters of inline code that fit on a line of every screen. */
const LONGEST_UNBROKEN = 24;

const languageNames: Readonly<Record<string, string>> = {
  ...sampleLanguages,
  sh: "Shell",
  bash: "Shell",
  ts: "TypeScript",
  js: "JavaScript",
  json: "JSON",
  xml: "XML",
};

/** First column of a table of an operation → what the table lists. */
const captions: Readonly<Record<string, string>> = { Parameter: "Parameters", Field: "Answer", Status: "Errors" };

/** Each line is an element of its own, so that what wraps is indented deeper than it. */
function codeBlock(text: string, lang: string): string {
  const lines = text.split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    // PHP's arrow wraps as a whole.
    const html = escapeHtml(line).replaceAll("->", `<span class="unbroken">-></span>`);
    return `<span class="line" style="--indent:${indent}ch">${html}\n</span>`;
  });
  const name = languageNames[lang] ?? "Text";
  return `<pre tabindex="0" data-lang="${lang}" data-language-name="${name}"><code>${lines.join("")}</code></pre>`;
}

function render({ file }: ReferencePage): ReferenceText {
  const headings: ReferenceHeading[] = [];
  /** How often each was taken: as on GitHub, the second `bundles` is `bundles-1`. */
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        if (depth === 1) return `<h1>${html}</h1>`;
        const anchor = toAnchor(text);
        const earlier = anchors.get(anchor) ?? 0;
        anchors.set(anchor, earlier + 1);
        const id = earlier === 0 ? anchor : `${anchor}-${earlier}`;
        if (depth === 2 || depth === 3) headings.push({ id, text, level: depth });
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>`;
      },
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        const target = toReferenceHref(href, file);
        return target === null ? html : `<a href="${target}">${html}</a>`;
      },
      strong({ tokens }: Tokens.Strong) {
        const html = this.parser.parseInline(tokens);
        const [, rule] = /^(\d{1,2}\.\d{1,2}) /.exec(html) ?? [];
        if (rule === undefined) return `<strong>${html}</strong>`;
        return `<strong id="rule-${rule}"><a href="#rule-${rule}">${html}</a></strong>`;
      },
      codespan({ text }: Tokens.Codespan) {
        const whole = text.length <= LONGEST_UNBROKEN ? ' class="unbroken"' : "";
        return `<code${whole}>${escapeHtml(text)}</code>`;
      },
      code({ text, lang = "" }: Tokens.Code) {
        const request = lang === "sh" ? parseCurl(text) : null;
        if (request === null)
          return codeBlock(lang === "json" ? JSON.stringify(JSON.parse(text), null, 2) : text, lang);
        const samples = { curl: text, ...writeSamples(request) };
        const blocks = Object.entries(samples).map(([language, code]) => codeBlock(code, language));
        return `<div class="sample" data-request="${escapeHtml(JSON.stringify(request))}">${blocks.join("")}</div>`;
      },
      table(token: Tokens.Table) {
        const caption = file.endsWith("-interface.md") ? captions[token.header[0]?.text ?? ""] : undefined;
        const cellOf = ({ header, text, tokens }: Tokens.TableCell, column: number) => {
          const tag = header && text !== "" ? "th" : "td";
          const title = token.header[column]?.text.replaceAll("`", "") ?? "";
          const isNamed = !header && column > 0 && title !== "" && text !== "";
          const name = isNamed ? ` data-column="${escapeHtml(title)}"` : "";
          return `<${tag}${name}>${this.parser.parseInline(tokens)}</${tag}>`;
        };
        const cells = (row: readonly Tokens.TableCell[]) => `<tr>${row.map(cellOf).join("")}</tr>`;
        const isTitled = token.header.some(({ text }) => text !== "");
        const head = isTitled ? `<thead>${cells(token.header)}</thead>` : "";
        const body = token.rows.map((row) => cells(row)).join("");
        const named = caption === undefined ? "" : `<caption>${caption}</caption>`;
        return `<div class="wide-table" tabindex="0" role="group" aria-label="${caption ?? "Table"}"><table>${named}${head}<tbody>${body}</tbody></table></div>`;
      },
    },
  });
  const text = readInstalledFile(file);
  return { html: linkRules(marked.parse(dropLeftOut(text, file), { async: false })), headings };
}

/** Without parentheses that only cite files that the reference leaves out. */
function dropLeftOut(text: string, file: string): string {
  return text.replaceAll(/ \((?:\[[^\]]+\]\([^)]+\)(?:, )?)+\)/g, (cited) => {
    const hrefs = [...cited.matchAll(/\]\(([^)]+)\)/g)].map(([, href = ""]) => href);
    return hrefs.every((href) => toReferenceHref(href, file) === null) ? "" : cited;
  });
}

/** `contract 3.3` and `rule 3.3`, unless in a link already, lead to the rule. */
function linkRules(html: string): string {
  return html.replaceAll(
    /(<a [^>]*>|)((?:[Cc]ontract|[Rr]ule) (\d{1,2}\.\d{1,2}))/g,
    (all, link: string, text: string, rule: string) =>
      link === "" ? `<a href="/docs/rules#rule-${rule}">${text.replace(" ", "&nbsp;")}</a>` : all,
  );
}

const rendered = new Map<string, ReferenceText>();

/** Rendered once per process: the documents change with the version only. */
export function readReference(page: ReferencePage): ReferenceText {
  const known = rendered.get(page.slug) ?? render(page);
  if (process.env.NODE_ENV === "production") rendered.set(page.slug, known);
  return known;
}
