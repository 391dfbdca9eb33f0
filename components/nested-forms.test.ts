import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";

/*
 * A form or dialog within a form loses what it sends, or sends the outer one, too. They meet only in the page: a menu
 * with a dialog is part of a row, the page gives the row to a grid, and the grid is in a form. So this follows which
 * properties each component puts into a form.
 */

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A component, or any other function. */
interface Part {
  readonly file: string;
  readonly name: string;
  readonly nodes: readonly Node[];
  /** Local name → property. */
  readonly properties: ReadonlyMap<string, string>;
}

/** All properties, or those without a local name. */
const REST = "…";
/** Rendered in place of the form, not in it. */
const INSTEAD = "reveal";

const isNode = (value: unknown): value is Node => typeof Object(value).type === "string";
const nameOf = (node: unknown) => String(Object(node).name ?? "");
const tagOf = ({ type, openingElement }: Node) => (type === "JSXElement" ? nameOf(Object(openingElement).name) : "");
const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode);
const withBelow = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(withBelow)];

/** Of an expression, what may be rendered: no conditions, texts, handlers of events, or arguments that are values. */
function renderable(node: Node, isFunction: (name: string) => boolean): readonly Node[] {
  return [node, ...renderableBelow(node, isFunction).flatMap((below) => renderable(below, isFunction))];
}

function renderableBelow(node: Node, isFunction: (name: string) => boolean): readonly Node[] {
  const { type, operator, right, consequent, alternate, callee, name } = node;
  if (type === "LogicalExpression" && operator === "&&") return [right as Node];
  if (type === "ConditionalExpression") return [consequent as Node, alternate as Node];
  if (/Binary|Template|Unary/.test(type) || (type === "JSXAttribute" && /^on[A-Z]/.test(nameOf(name)))) return [];
  if (!isNode(callee)) return childrenOf(node);
  const args = (node.arguments as Node[]).filter((arg) => arg.type.includes("Function") || isFunction(nameOf(arg)));
  // labels.map(({ text }) => text) is made of texts.
  const [made] = /^(?:flatM|m)ap$/.test(nameOf(callee.property)) ? args : [];
  const mayRender = (below: Node) => tagOf(below) !== "" || nameOf(below.callee) !== "";
  return made && made.type !== "Identifier" && !withBelow(made).some(mayRender) ? [] : [callee, ...args];
}

function propertiesOf(pattern: Node): readonly (readonly [string, string])[] {
  if (pattern.type !== "ObjectPattern") return [[nameOf(pattern), REST]];
  return (pattern.properties as Node[]).map(({ argument, key, value }) =>
    argument ? [nameOf(argument), REST] : [nameOf(Object(value).left ?? value), nameOf(key)],
  );
}

function readPart(file: string, name: string, node: Node): Part {
  const nodes = withBelow(node);
  const [first] = node.params as Node[];
  // const { size, ...rest } = props;
  const unpacked = nodes.filter(({ init }) => nameOf(init) !== "" && nameOf(init) === nameOf(first));
  const patterns = [first, ...unpacked.map(({ id }) => id)].filter(isNode);
  return { file, name, nodes, properties: new Map(patterns.flatMap(propertiesOf)) };
}

/** @param sources text by file name */
function findNestedForms(sources: Readonly<Record<string, string>>): readonly string[] {
  const parts: Part[] = [];
  /** By file and local name. */
  const values = new Map<string, Node[]>();
  const imports = new Map<string, string>();
  for (const [file, text] of Object.entries(sources)) {
    for (const node of withBelow(parseAst(text, { lang: "tsx" }) as unknown as Node)) {
      for (const { local } of node.type === "ImportDeclaration" ? (node.specifiers as Node[]) : [])
        imports.set(`${file} ${nameOf(local)}`, String(Object(node.source).value));
      const value = node.type === "FunctionDeclaration" ? node : node.init;
      if (!isNode(value) || nameOf(node.id) === "") continue;
      const key = `${file} ${nameOf(node.id)}`;
      values.set(key, [...(values.get(key) ?? []), value]);
      // const Modal = loadDialog(() => import("./modal.tsx"));
      const below = nameOf(value.callee) === "loadDialog" ? withBelow(value) : [];
      const loaded = below.find(({ type }) => type === "ImportExpression");
      if (loaded) imports.set(key, String(Object(loaded.source).value));
      if (value.type.includes("Function")) parts.push(readPart(file, nameOf(node.id), value));
    }
  }
  const byName = Map.groupBy(parts, ({ name }) => name);

  function usedBy({ file }: Part, node: Node): readonly Part[] {
    const name = node.type === "CallExpression" ? nameOf(node.callee) : tagOf(node);
    const from = imports.get(`${file} ${name}`)?.split("/").at(-1);
    return (byName.get(name) ?? []).filter((part) => part.file === file || (from && part.file.endsWith(`/${from}`)));
  }
  const isForm = ({ file }: Part, node: Node) =>
    tagOf(node) === "form" || (tagOf(node) === "Form" && imports.get(`${file} Form`) === "next/form");
  /** Whether a form or dialog is rendered, as far as known. */
  const renders = (part: Part, node: Node) =>
    isForm(part, node) || tagOf(node) === "dialog" || usedBy(part, node).some((used) => rendering.has(used));

  /** What a node may render, by the values that it names, too. */
  function follow(part: Part, node: Node, seen = new Set<string>()): readonly Node[] {
    const keyOf = (name: string) => `${part.file} ${name}`;
    const isFunction = (name: string) =>
      values.get(keyOf(name))?.some(({ type }) => type.includes("Function")) ?? false;
    return renderable(node, isFunction).flatMap((below) => {
      const key = keyOf(nameOf(below));
      if (below.type !== "Identifier" || seen.has(key)) return below;
      seen.add(key);
      return [below, ...(values.get(key) ?? []).flatMap((value) => follow(part, value, seen))];
    });
  }

  /** What an element puts into a form, as far as known. */
  function insideForm(part: Part, node: Node): readonly Node[] {
    if (tagOf(node) === "") return [];
    const taken = new Set(usedBy(part, node).flatMap((used) => [...(inForm.get(used) ?? [])]));
    const takes = (property: string) =>
      property !== INSTEAD && (isForm(part, node) || taken.has(property) || taken.has(REST));
    const given = (Object(node.openingElement).attributes as Node[]).filter(({ name }) => takes(nameOf(name) || REST));
    return [...given, ...(takes("children") ? (node.children as Node[]) : [])];
  }

  const rendering = new Set<Part>();
  /** Properties, by the component that puts them into a form. */
  const inForm = new Map<Part, Set<string>>(parts.map((part) => [part, new Set()]));
  const countKnown = () => [...inForm.values()].reduce((sum, { size }) => sum + size, rendering.size);
  for (let known = -1; known !== countKnown(); ) {
    known = countKnown();
    for (const part of parts) {
      if (part.nodes.some((node) => renders(part, node))) rendering.add(part);
      for (const { type, name } of part.nodes
        .flatMap((node) => insideForm(part, node))
        .flatMap((n) => follow(part, n))) {
        const property = type === "Identifier" && part.properties.get(String(name));
        if (property) inForm.get(part)?.add(property);
      }
    }
  }

  const found = parts.flatMap((part) =>
    part.nodes.flatMap((node) =>
      insideForm(part, node)
        .flatMap((inner) => follow(part, inner))
        .filter((inner) => renders(part, inner))
        .map((inner) => `${part.file}: ${tagOf(inner) || nameOf(inner.callee)} in the form of ${tagOf(node)}`),
    ),
  );
  return [...new Set(found)];
}

test("no form or dialog is within a form", () => {
  const root = join(import.meta.dirname, "..");
  const files = globSync("{app,components}/**/*.tsx", { cwd: root });
  expect(files.length).toBeGreaterThan(300);
  const sources = files.map((file) => [file, readFileSync(join(root, file), "utf8")]);
  expect(findNestedForms(Object.fromEntries(sources))).toEqual([]);
});

test("a dialog is found in a form that another component renders around it", () => {
  const found = findNestedForms({
    "ui/modal.tsx": "export function Modal({ children }) { return <dialog>{children}</dialog>; }",
    "ui/grid.tsx":
      "export function Grid({ rowsOf }) { const rows = rowsOf(); return <form><Body rows={rows} /></form>; }",
    "page.tsx": `
      import { Grid } from "./ui/grid.tsx";
      import { Modal } from "./ui/modal.tsx";
      const rowOf = (row) => ({ head: <Menu row={row} /> });
      const Menu = ({ row }) => <Modal>{row}</Modal>;
      export const Page = ({ rows }) => <><Menu row={rows[0]} /><Grid rowsOf={() => rows.map(rowOf)} /></>;`,
  });
  expect(found).toEqual(["page.tsx: Menu in the form of Grid"]);
});

test("a dialog whose code is loaded when it is opened is found in a form, too", () => {
  const found = findNestedForms({
    "ui/modal.tsx": "export default function Modal() { return <dialog />; }",
    "page.tsx": `
      import { loadDialog } from "./ui/load-dialog.tsx";
      const Modal = loadDialog(() => import("./ui/modal.tsx"));
      export const Page = () => <form><Modal props={{}} /></form>;`,
  });
  expect(found).toEqual(["page.tsx: Modal in the form of form"]);
});
