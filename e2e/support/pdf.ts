import { inflateSync } from "node:zlib";

/** The text of each page of a PDF as Chromium makes them, letter by letter as drawn, without any spaces. */
export function textOfPages(pdf: Buffer): string[] {
  const objects = readObjects(pdf.toString("latin1"));
  const pages = [...objects.values()].filter((text) => /\/Type\s*\/Page\b/.test(text));
  return pages.map((page) => {
    const fonts = fontsOf(page, objects);
    const contents = /\/Contents\s+(\d+)/.exec(page);
    return lettersOf(streamOf(objects.get(Number(contents?.[1])) ?? ""), fonts);
  });
}

function readObjects(text: string): ReadonlyMap<number, string> {
  const found = text.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)\nendobj/g);
  return new Map(Array.from(found, ([, number, body]) => [Number(number), body ?? ""]));
}

function streamOf(object: string): string {
  const start = /stream\r?\n/.exec(object);
  if (start === null) return "";
  const data = Buffer.from(object.slice(start.index + start[0].length, object.lastIndexOf("\nendstream")), "latin1");
  return (object.includes("/FlateDecode") ? inflateSync(data) : data).toString("latin1");
}

interface Font {
  /** Hexadecimal digits of one code. */
  readonly digits: number;
  readonly letters: ReadonlyMap<string, string>;
}

/** What each font's codes stand for, by the name that the page gives the font. */
function fontsOf(page: string, objects: ReadonlyMap<number, string>): ReadonlyMap<string, Font> {
  const list = /\/Font\s*<<([\s\S]*?)>>/.exec(page)?.[1] ?? "";
  return new Map(
    Array.from(list.matchAll(/\/(\w+)\s+(\d+) 0 R/g), ([, name = "", number]) => {
      const unicode = /\/ToUnicode\s+(\d+)/.exec(objects.get(Number(number)) ?? "");
      return [name, readFont(streamOf(objects.get(Number(unicode?.[1])) ?? ""))];
    }),
  );
}

function readFont(unicodeMap: string): Font {
  const digits = /begincodespacerange\s*<(\w+)>/.exec(unicodeMap)?.[1]?.length ?? 4;
  const letters = new Map<string, string>();
  const blocks = (kind: string) =>
    Array.from(unicodeMap.matchAll(new RegExp(`begin${kind}([\\s\\S]*?)end${kind}`, "g")), ([, block = ""]) => block);
  for (const block of blocks("bfchar")) {
    for (const [, from = "", to = ""] of block.matchAll(/<(\w+)>\s*<(\w+)>/g)) letters.set(from, textOf(to));
  }
  for (const block of blocks("bfrange")) {
    for (const [, first = "", last = "", to = ""] of block.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const start = Number.parseInt(first, 16);
      for (let code = start; code <= Number.parseInt(last, 16); code += 1) {
        letters.set(hex(code, digits), textOf(hex(Number.parseInt(to, 16) + code - start, 4)));
      }
    }
  }
  return { digits, letters };
}

const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");
const textOf = (utf16: string) => Buffer.from(utf16, "hex").swap16().toString("utf16le");

function lettersOf(content: string, fonts: ReadonlyMap<string, Font>): string {
  let font: Font | undefined;
  let text = "";
  for (const [, name, codes = ""] of content.matchAll(/\/(\w+)\s+[\d.]+\s+Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name !== undefined) font = fonts.get(name);
    else
      for (const code of codes.match(new RegExp(`.{${font?.digits ?? 4}}`, "g")) ?? [])
        text += font?.letters.get(code) ?? "";
  }
  return text.replaceAll(/\s/g, "");
}
