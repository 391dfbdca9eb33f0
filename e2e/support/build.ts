import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathTargets } from "#lib/http/path-api/interface.ts";

const serverDir = join(import.meta.dirname, "..", "..", ".next", "server");

function readManifest(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(serverDir, name), "utf8"));
}

/** Parts of an address that are filled in. */
const segments: Readonly<Record<string, string>> = {
  "[address]": "192.0.2.7",
  "[name]": "sandbox",
  "[...nextauth]": "callback/credentials",
  "[eventId]": "evt_1",
};

/** The address at which the build serves a file of `app/`, its parts still to be filled in: `/licenses/[id]`. */
function templateOf(file: string): string {
  const path = file
    .split("/")
    .slice(0, -1)
    .filter((segment) => !/^\(.*\)$/.test(segment))
    .join("/");
  return path === "" ? "/" : path;
}

function fill(template: string): string {
  return template.replaceAll(/\[[^/]+\]/g, (segment) => segments[segment] ?? "1");
}

/** The addresses of all pages, or of all route handlers, with the parts to be filled in. */
export function listTemplates(kind: "page" | "route"): readonly string[] {
  const files = Object.keys(readManifest("app-paths-manifest.json"));
  return files.filter((file) => file.endsWith(`/${kind}`) && !file.startsWith("/_")).map(templateOf);
}

/** Every page of the application, with made-up ids. */
export const listPages = (): readonly string[] => listTemplates("page").map(fill);

/** The route file of the API, which serves all its addresses. */
const API = "/api/v1/[[...path]]";
const apiAddresses = [
  "/api/v1",
  "/api/v1/no/such/address",
  ...Object.keys(pathTargets).map((path) => `/api/v1${path}`),
];

/** Every address of a route handler, with made-up ids. */
export function listRoutes(): readonly string[] {
  const templates = listTemplates("route");
  if (!templates.includes(API)) throw new Error(`no route file serves ${API}`);
  const ofApi = apiAddresses.map((address) => address.replaceAll(/\{\w+\}/g, "1"));
  return [...ofApi, ...templates.filter((template) => template !== API).map(fill)];
}

export interface BuiltAction {
  readonly id: string;
  readonly name: string;
  /** A page that sends it. */
  readonly page: string;
  readonly takesArguments: boolean;
}

/** Every server action of the application. */
export function listActions(): readonly BuiltAction[] {
  const { node } = readManifest("server-reference-manifest.json") as {
    node: Record<string, { filename: string; exportedName: string; workers: Record<string, unknown> }>;
  };
  return Object.entries(node).map(([id, { filename, exportedName, workers }]) => ({
    id,
    name: `${filename} ${exportedName}`,
    page: fill(templateOf(Object.keys(workers)[0]?.slice("app".length) ?? "/")),
    // Next tells in the first byte of the id which arguments are used.
    takesArguments: !id.startsWith("00"),
  }));
}
