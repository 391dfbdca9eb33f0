/**
 * The first name that stands twice in the outermost object of a JSON text, or null. `JSON.parse` keeps the last one
 * silently, and two readers of one request must not see different values. The text must be valid JSON.
 */
export function findDuplicateKey(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        depth++;
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
          if (seen.has(name)) return name;
          seen.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
    }
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
