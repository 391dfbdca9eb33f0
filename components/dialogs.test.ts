import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** What Enter does in each dialog. */
const onEnter: Readonly<
  Record<string, "submits its form" | "presses its focused button" | "chooses an option" | null>
> = {
  "components/auth/prove-dialog.tsx": "presses its focused button",
  "components/auth/sign-in-dialog.tsx": "presses its focused button",
  "components/form/confirm-form.tsx": "submits its form",
  "components/form/shown-once.tsx": "presses its focused button",
  "components/license/more-filters.tsx": "submits its form",
  "components/reference/try-it.tsx": "submits its form",
  "components/shell/bottom-navigation.tsx": null,
  "components/shell/command-palette.tsx": "chooses an option",
  "components/shell/shortcuts.tsx": null,
};

const signs = {
  "submits its form": /<Button[^<]*type="submit"/s,
  "presses its focused button": /<Button\s[^<]*data-autofocus/s,
  "chooses an option": /role="combobox"/,
} as const;

const dialogs = globSync("{app,components}/**/*.tsx", { cwd: root })
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
  .filter(({ file, text }) => !file.startsWith("components/ui/") && /<(?:Dialog|Modal)\b/.test(text));

test("Enter is useful in every dialog", () => {
  expect(dialogs.map(({ file }) => file).toSorted()).toEqual(Object.keys(onEnter));
  const wrong = dialogs.filter(({ file, text }) => {
    const use = onEnter[file];
    return use && !signs[use].test(text);
  });
  expect(wrong.map(({ file }) => file)).toEqual([]);
});
