import { expect, test } from "vitest";
import { readTextFile } from "./read-text-file.ts";

const TEXT = "notes\nGröße, Łódź\n";

test.each([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with its mark", Buffer.from(`\uFEFF${TEXT}`)],
  ["UTF-16 as spreadsheets save it", Buffer.from(`\uFEFF${TEXT}`, "utf16le")],
  ["UTF-16, the other byte first", Buffer.from(`\uFEFF${TEXT}`, "utf16le").swap16()],
])("text is read from %s", async (_, bytes) => expect(await readTextFile(new Blob([bytes]))).toBe(TEXT));

test("what is not UTF-8 is taken for Windows-1252", async () => {
  expect(await readTextFile(new Blob([Buffer.from("Größe €".replace("€", "\x80"), "latin1")]))).toBe("Größe €");
});
