export interface JsonFacts {
  /**
   * The first duplicate name in the outermost object, or null. `JSON.parse` silently keeps the last value, and two
   * readers must not see different ones.
   */
  readonly duplicateKey: string | null;
  /** Nesting depth of the text read so far, up to a duplicate name. */
  readonly depth: number;
  /** Name → literal of each number in the outermost object, which `JSON.parse` loses. */
  readonly numbers: ReadonlyMap<string, string>;
}

const numberStart = new Set("-0123456789");
const numberPattern = /-?\d[\d.eE+-]*/y;

/** Extracts what `JSON.parse` drops. The text must be valid JSON. */
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
      default: {
        if (!numberStart.has(text.charAt(at))) break;
        numberPattern.lastIndex = at;
        const [literal = ""] = numberPattern.exec(text) ?? [];
        if (depth === 1) numbers.set(name, literal);
        at += literal.length - 1;
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
