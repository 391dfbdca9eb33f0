import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("forms with secrets send nothing before their script has loaded", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(root, folder, path)),
  );
  const shared = ["form.tsx", "page-form.tsx", "confirm-form.tsx"].map((name) => join(root, "components/form", name));
  const isInert = (text: string) => /<form[^>]*\smethod="dialog"/.test(text);
  const usesShared = (text: string) =>
    !text.includes("<form") && /from "(?:#components\/form|\.)\/(?:page-|confirm-)?form\.tsx"/.test(text);
  const forms = files
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ path, text }) => /type="password"/.test(text) || shared.includes(path));
  expect(forms.length).toBeGreaterThanOrEqual(5);
  // Natively, GET would put the fields into the address. Outside of a dialog element this method does nothing.
  expect(forms.filter(({ text }) => !isInert(text) && !usesShared(text)).map(({ path }) => path)).toEqual([]);
});
