/** `PRETTY_NAME` of an os-release file (freedesktop.org): name and version of the distribution; null if absent. */
export function readPrettyName(osRelease: string): string | null {
  // The last assignment wins, as in a shell.
  const [, value = ""] = [...osRelease.matchAll(/^PRETTY_NAME=(.*)$/gm)].at(-1) ?? [];
  return unquote(value.trim()) || null;
}

function unquote(value: string): string {
  const [, double] = /^"(.*)"$/.exec(value) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(["$`\\])/g, "$1");
  return /^'(.*)'$/.exec(value)?.[1] ?? value;
}
