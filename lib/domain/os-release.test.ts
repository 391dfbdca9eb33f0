import { expect, test } from "vitest";
import { readPrettyName } from "./os-release.ts";

test.each([
  [
    'NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
    "Debian GNU/Linux 12 (bookworm)",
  ],
  ["PRETTY_NAME='Alpine Linux v3.20'", "Alpine Linux v3.20"],
  ["PRETTY_NAME=Void\r\n", "Void"],
  ['PRETTY_NAME="A \\"quoted\\" \\$name \\\\"', 'A "quoted" $name \\'],
  ['PRETTY_NAME="First"\nPRETTY_NAME="Second"', "Second"],
  ['# PRETTY_NAME="Comment"\nNAME=x', null],
  ["PRETTY_NAME=", null],
  ["", null],
])("the distribution's name in %j is %j (contract 2.5)", (text, name) => {
  expect(readPrettyName(text)).toBe(name);
});
