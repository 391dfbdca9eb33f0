/** The examples of the contract, which are written for curl, in other languages. */

export const sampleLanguages = { curl: "curl", typescript: "TypeScript", php: "PHP", python: "Python" } as const;
type SampleLanguage = keyof typeof sampleLanguages;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface SampleRequest {
  readonly method: string;
  /** With query, below `/api/v1`. */
  readonly path: string;
  /** `$KEY` stands for the API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly kind: "json" | "form"; readonly fields: { readonly [name: string]: Json } } | null;
}

/** Words of a command; quotes only join. */
function wordsOf(command: string): string[] {
  return [...command.replaceAll("\\\n", " ").matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double: string | undefined, single: string) => double ?? single),
  );
}

/** Null: another command than one request to `$BASE`. */
export function parseCurl(command: string): SampleRequest | null {
  const [program, ...words] = wordsOf(command.trim());
  if (program !== "curl") return null;
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let url = "";
  let asked = "";
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const next = words[at + 1] ?? "";
    if (word.startsWith("-")) at++;
    else url = word;
    if (word === "-X") asked = next;
    if (word === "-d") data.push(next);
    const [, name = "", value = ""] = (word === "-H" && /^([^:]+): (.*)$/.exec(next)) || [];
    if (name !== "") headers[name] = value;
  }
  if (!url.startsWith("$BASE")) return null;
  const path = url.slice("$BASE".length).replace(/^\?/, "/?");
  const isJson = headers["Content-Type"] === "application/json";
  const body =
    data.length === 0
      ? null
      : isJson
        ? { kind: "json" as const, fields: JSON.parse(data.join("")) }
        : { kind: "form" as const, fields: Object.fromEntries(data.map((pair) => splitOnce(pair))) };
  return { method: asked || (body ? "POST" : "GET"), path, headers, body };
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

interface Syntax {
  /** Around a text, with the key in it where `$KEY` stands. */
  readonly text: (text: string) => string;
  readonly constants: Readonly<Record<string, string>>;
  readonly list: readonly [string, string];
  readonly object: readonly [string, string, separator: string];
}

function literal(value: Json, syntax: Syntax): string {
  if (typeof value === "string") return syntax.text(value);
  if (typeof value !== "object" || value === null) return syntax.constants[String(value)] ?? String(value);
  if (Array.isArray(value))
    return `${syntax.list[0]}${value.map((item: Json) => literal(item, syntax)).join(", ")}${syntax.list[1]}`;
  const [open, close, separator] = syntax.object;
  const fields = Object.entries(value).map(
    ([name, item]) => `${syntax.text(name)}${separator}${literal(item, syntax)}`,
  );
  return `${open}${fields.join(", ")}${close}`;
}

const withKey = (text: string, plain: (text: string) => string, keyed: (text: string) => string) =>
  text.includes("$KEY") ? keyed(text) : plain(text);

const typescript: Syntax = {
  text: (text) => withKey(text, JSON.stringify, (keyed) => `\`${keyed.replace("$KEY", "$" + "{key}")}\``),
  constants: {},
  list: ["[", "]"],
  object: ["{ ", " }", ": "],
};
const php: Syntax = {
  text: (text) =>
    withKey(
      text,
      (plain) => `'${plain.replaceAll(/['\\]/g, "\\$&")}'`,
      (keyed) => `"${keyed.replace("$KEY", "$key")}"`,
    ),
  constants: {},
  list: ["[", "]"],
  object: ["[", "]", " => "],
};
const python: Syntax = {
  text: (text) => withKey(text, JSON.stringify, (keyed) => `f"${keyed.replace("$KEY", "{key}")}"`),
  constants: { true: "True", false: "False", null: "None" },
  list: ["[", "]"],
  object: ["{", "}", ": "],
};

/** The request in other languages, with nothing but their own libraries. Address and key come from the environment. */
export function writeSamples(request: SampleRequest): Readonly<Record<Exclude<SampleLanguage, "curl">, string>> {
  const { method, path, headers, body } = request;
  const fields = (syntax: Syntax) => literal(body?.fields ?? {}, syntax);
  const isForm = body?.kind === "form";
  return {
    typescript: [
      "const { LICENSE_DESK_URL: url, LICENSE_DESK_API_KEY: key } = process.env;",
      `const response = await fetch(\`\${url}/api/v1${path}\`, {`,
      ...(method === "GET" ? [] : [`  method: "${method}",`]),
      `  headers: ${literal(headers, typescript)},`,
      ...(body === null
        ? []
        : [
            `  body: ${isForm ? `new URLSearchParams(${fields(typescript)})` : `JSON.stringify(${fields(typescript)})`},`,
          ]),
      "});",
      "console.log(response.status, await response.text());",
    ].join("\n"),
    php: [
      "$url = getenv('LICENSE_DESK_URL');",
      "$key = getenv('LICENSE_DESK_API_KEY');",
      `$request = curl_init("$url/api/v1${path}");`,
      "curl_setopt_array($request, [",
      ...(method === "GET" ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
      `    CURLOPT_HTTPHEADER => [${Object.entries(headers)
        .map(([name, value]) => php.text(`${name}: ${value}`))
        .join(", ")}],`,
      ...(body === null
        ? []
        : [`    CURLOPT_POSTFIELDS => ${isForm ? "http_build_query" : "json_encode"}(${fields(php)}),`]),
      "    CURLOPT_RETURNTRANSFER => true,",
      "]);",
      "$answer = curl_exec($request);",
      "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer;",
    ].join("\n"),
    python: [
      `import ${[...(body && !isForm ? ["json"] : []), "os", "urllib.error", ...(isForm ? ["urllib.parse"] : []), "urllib.request"].join(", ")}`,
      "",
      'url, key = os.environ["LICENSE_DESK_URL"], os.environ["LICENSE_DESK_API_KEY"]',
      "request = urllib.request.Request(",
      `    f"{url}/api/v1${path}",`,
      ...(method === "GET" ? [] : [`    method="${method}",`]),
      `    headers=${literal(headers, python)},`,
      ...(body === null
        ? []
        : [
            `    data=${isForm ? `urllib.parse.urlencode(${fields(python)})` : `json.dumps(${fields(python)})`}.encode(),`,
          ]),
      ")",
      "try:",
      "    response = urllib.request.urlopen(request)",
      "except urllib.error.HTTPError as error:",
      "    response = error",
      "print(response.status, response.read().decode())",
    ].join("\n"),
  };
}
