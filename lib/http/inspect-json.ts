export interface JsonFacts {
  /**
   * The first name that stands twice in the outermost object, or null. `JSON.parse` keeps the last one silently, and two
   * readers of one request must not see different values.
   */
  readonly duplicateKey: string | null;
  /** How many objects and arrays lie within one another, as far as the text was read: up to a duplicate key. */
  readonly depth: number;
  /** Name → literal, of each value in the outermost object that is a number: `JSON.parse` loses how it was written. */
  readonly numbers: ReadonlyMap<string, string>;
}

const numberPattern = /-?\d[\d.eE+-]*/y;

/** What `JSON.parse` does not say of a text. It must be valid JSON. */
export function inspectJson(text: string): JsonFacts {
  const seen = new Set<string>();
  const numbers = new Map<string, string>();
  let name = "";
  let depth = 0;
  let deepest = 0;
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        depth++;
        if (depth > deepest) deepest = depth;
        expectsName = depth === 1;
        break;
      case "}":
      case "]":
        depth--;
        break;
      case ",":
        expectsName = depth === 1;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (expectsName) {
          name = JSON.parse(text.slice(at, end + 1)) as string;
          if (seen.has(name)) return { duplicateKey: name, depth: deepest, numbers };
          seen.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
      case "-":
      case "0":
      case "1":
      case "2":
      case "3":
      case "4":
      case "5":
      case "6":
      case "7":
      case "8":
      case "9": {
        numberPattern.lastIndex = at;
        const [literal = ""] = numberPattern.exec(text) ?? [];
        if (depth === 1) numbers.set(name, literal);
        at += literal.length - 1;
        break;
      }
    }
  }
  return { duplicateKey: null, depth: deepest, numbers };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
