import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const document = readFileSync(join(root, "docs/asvs.md"), "utf8");

/** ASVS 5.0.0, levels 1 and 2: the requirements of each section. */
const requirements =
  "1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2"
    .split(" ")
    .flatMap((section) => {
      const [id, count] = section.split(":");
      return Array.from({ length: Number(count) }, (_, index) => `${id}.${index + 1}`);
    });

const ids = (text: string) => text.split(", ").map((id) => id.trim());
const rows = [...document.matchAll(/^\| (\d[\d., ]*) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = "", how = "", where = ""]) => ({
    ids: ids(id),
    how,
    where,
  }),
);
const leftOut = [...document.matchAll(/^- (\d[\d., ]*): not applicable\. (.+)$/gm)].flatMap(([, id = ""]) => ids(id));

test("every requirement of ASVS 5.0.0 at level 1 or 2 is answered once", () => {
  expect(requirements).toHaveLength(253);
  const answered = [...rows.flatMap((row) => row.ids), ...leftOut];
  expect(answered.toSorted()).toEqual(requirements.toSorted());
});

test("every requirement that is met names where, in files that exist", () => {
  const missing = rows.flatMap(({ ids, where }) => {
    const files = [...where.matchAll(/`([^`]+)`|\]\(([^)#]+)/g)].map(([, code, link]) => code ?? `docs/${link}`);
    return files.length > 0 ? files.filter((file) => !existsSync(join(root, file))) : [`nothing for ${ids}`];
  });
  expect(missing).toEqual([]);
});

test("every requirement that is met names a test, but these, which ask for documents or choices", () => {
  const isTested = ({ where }: { readonly where: string }) => /\.(?:test|spec)\.ts|invariants\.ts/.test(where);
  const untested = rows.filter((row) => !row.how.startsWith("**Open.**") && !isTested(row)).flatMap((row) => row.ids);
  expect(untested.toSorted()).toEqual([
    ...["11.1.2", "14.1.1", "14.1.2", "14.2.4", "15.1.1", "15.1.2", "15.2.1", "16.1.1", "16.2.3"],
    ...["3.7.1", "6.2.10", "7.1.3", "7.6.1"],
  ]);
});
