/** A machine-readable view of docs/contract. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "docs", "contract");

export type Page = "README" | "rules" | "path-interface" | "dispatch-interface" | "events" | "sandbox";

/** A heading with the text below it. */
export interface Section {
  readonly title: string;
  /** The Markdown anchor of the title. */
  readonly anchor: string;
  readonly level: number;
  readonly text: string;
  readonly tables: readonly Table[];
}

export interface Table {
  readonly columns: readonly string[];
  /** Column → cell, without code marks. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export function listPages(): Page[] {
  return readdirSync(FOLDER).map((file) => basename(file, ".md") as Page);
}

function readPage(page: Page): string {
  return readFileSync(join(FOLDER, `${page}.md`), "utf8");
}

export function readSections(page: Page): Section[] {
  const sections: Section[] = [];
  for (const part of readPage(page).split(/^(?=#{1,3} )/m)) {
    const [, marks = "", title = ""] = /^(#{1,3}) (.+)$/m.exec(part) ?? [];
    sections.push({ title, anchor: anchorOf(title), level: marks.length, text: part, tables: readTables(part) });
  }
  return sections;
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

function readTables(text: string): Table[] {
  return [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([lines]) => {
    const [columns = [], , ...rows] = lines.trimEnd().split("\n").map(cellsOf);
    return {
      columns,
      rows: rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ""]))),
    };
  });
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

/** The rows of a section's tables whose first column has this name. */
export function rowsOf(section: Section, firstColumn: string): readonly Readonly<Record<string, string>>[] {
  return section.tables.filter(({ columns }) => columns[0] === firstColumn).flatMap(({ rows }) => rows);
}

/** Texts between code marks. */
export function codesIn(text = ""): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

/** Code blocks in this language. */
export function blocksOf({ text }: Section, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const SOURCE = /\.(?:tsx?|mjs|js|sql|prisma|md|sh|py|php|java)$/;
/** Generated or installed. */
const SKIPPED = /(?:^|\/)(?:node_modules|generated|migrations|test-results|playwright-report|screenshots|\.[^/]+)$/;

/** All sources and documents of the repository. */
export function* readSources(folder = ""): Generator<SourceFile> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.test(path)) yield* readSources(path);
    } else if (SOURCE.test(entry.name)) {
      yield { path, text: readFileSync(join(ROOT, path), "utf8") };
    }
  }
}
