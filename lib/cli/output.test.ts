import { afterEach, expect, test, vi } from "vitest";
import { print, printJson } from "./output.ts";

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
  vi.restoreAllMocks();
});

test.each([
  [true, "a\ufffd]0;b\ufffd\ufffd31m\ufffdc,\u00e9\r\n"],
  [false, "a\x1b]0;b\x07\x9b31m\u202ec,\u00e9\r\n"],
])("what resellers typed commands no terminal, and files get it as it is (a terminal: %s)", async (terminal, shown) => {
  let written = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  process.stdout.isTTY = terminal;
  await print("a\x1b]0;b\x07\x9b31m\u202ec,\u00e9\r\n");
  expect(written).toBe(shown);
  written = "";
  printJson({ name: "\x9b31m\u202e\u00e9" });
  expect(written).toBe(`{\n  "name": "${terminal ? "\ufffd31m\ufffd" : "\x9b31m\u202e"}\u00e9"\n}\n`);
});
