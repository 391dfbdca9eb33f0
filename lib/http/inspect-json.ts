export interface JsonFacts {
  /**
   * The first name that stands twice in the outermost object, or null. `JSON.parse` keeps the last one silently, and two
   * readers of one request must not see different values.
   */
  readonly duplicateKey: string | null;
  /** How many objects and arrays lie within one another, as far as the text was read: up to a duplicate key. */
  readonly depth: number;
}

/** What `JSON.parse` does not tell of a text. It must be valid JSON. */
export function inspectJson(text: string): JsonFacts {
  const seen = new Set<string>();
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
          const name: string = JSON.parse(text.slice(at, end + 1));
          if (seen.has(name)) return { duplicateKey: name, depth: deepest };
          seen.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
    }
  }
  return { duplicateKey: null, depth: deepest };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
