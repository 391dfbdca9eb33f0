import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("nothing else renders a page again, so a secret on it stays until it is left", () => {
  const root = join(import.meta.dirname, "..", "..");
  const refreshing = globSync("{app,components}/**/*.{ts,tsx}", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.includes(".test."))
    .filter((file) =>
      /\brouter\.refresh\b|\{[^}]{0,99}\brefresh\b[^}]{0,99}\} = useRouter/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
  expect(refreshing).toEqual(["components/ui/use-refresh.ts"]);
});
