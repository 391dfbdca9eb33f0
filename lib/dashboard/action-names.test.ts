import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const app = join(import.meta.dirname, "..", "..", "app");

interface ServerAction {
  readonly file: string;
  readonly functionName: string;
  /** Between the parentheses. */
  readonly parameters: string;
  readonly text: string;
}

/** Every exported function of every file of server actions, up to the next function. */
const actions: readonly ServerAction[] = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(app, file), "utf8") }))
  .filter(({ source }) => source.includes("runAction("))
  .flatMap(({ file, source }) =>
    [
      ...source.matchAll(
        /^export async function (\w+)\(([^)]*)\)[\s\S]*?(?=^(?:export )?(?:async )?function |(?![\s\S]))/gm,
      ),
    ].map(([text, functionName = "", parameters = ""]) => ({ file, functionName, parameters, text })),
  );

/** `licenses/[id]/actions.ts`, `renew` → `licenses.renew`. */
function expectedName({ file, functionName }: ServerAction): string {
  const folders = dirname(file).split(/[\\/]/);
  return [...folders.filter((folder) => !/^[([]/.test(folder)), functionName].join(".");
}

/** By `runAction`, or by a function of the same file that passes the name on. */
const running = actions.filter(({ text }) => /\b(runAction|change|setPaused|setDisabled)\(/.test(text));
const withKey = running.filter(({ parameters }) => parameters.includes("idempotencyKey"));

/** The local names of what the function is called with, less what no request is told apart by. */
function boundNames({ parameters, text }: ServerAction): string[] {
  const parts = [...text.matchAll(/const \{([^}]*)\} = partsOf\((\w+)\)/g)];
  const whole = parts.map(([, , name]) => name);
  const listed = [parameters, ...parts.map(([, names]) => names)].join();
  const withoutTypes = listed.replaceAll(/:[^,{}]+(?=[,}]|$)/g, (type) => (/^: [a-z]\w*$/.test(type) ? type : ""));
  const names = [...withoutTypes.matchAll(/(\w+)(?:: (\w+))?/g)].map(([, name, alias]) => alias ?? name ?? "");
  return names.filter(
    (name) =>
      !whole.includes(name) &&
      !["input", "idempotencyKey", "seenVersion", "_", "number", "string", "boolean", "undefined"].includes(name),
  );
}

test("the files of server actions are found, and what accepts a key runs an action", () => {
  expect(running.length).toBeGreaterThan(60);
  expect(withKey.length).toBeGreaterThan(40);
  expect(actions.filter(({ parameters }) => parameters.includes("idempotencyKey"))).toEqual(withKey);
});

test.each(running)(
  "$file: $functionName has its own name, so that its key never answers for another (contract 1.11)",
  (action) => {
    expect(action.text).toContain(`"${expectedName(action)}"`);
    expect(running.filter((other) => expectedName(other) === expectedName(action))).toHaveLength(1);
  },
);

test.each(withKey)("$file: $functionName is told apart by what its page has bound (contract 1.11)", (action) => {
  // The properties before `run` are hashed; `forReseller` is a number that the page has bound.
  const [hashed = ""] = action.text.slice(action.text.indexOf(`"${expectedName(action)}"`)).split(/\brun: |\(ctx\b/);
  const unhashed = boundNames(action).filter(
    (name) => !new RegExp(`\\b${name}\\b|forReseller|\\.\\.\\.scope\\(`).test(hashed),
  );
  expect(unhashed).toEqual([]);
});
