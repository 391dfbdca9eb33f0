import type { Dispatcher } from "undici";

/** One request as it goes over the wire, but for what HTTP's client adds. */
export interface FuzzRequest {
  readonly kind: "api" | "action" | "page";
  /** What it is for: an operation, a server action, an address. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export async function send(client: Dispatcher, request: FuzzRequest): Promise<FuzzAnswer> {
  const { method, target, headers, body } = request;
  const answer = await client.request({
    method: method as Dispatcher.HttpMethod,
    path: target,
    headers: headers.flat(),
    ...(body === null ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** The bytes of the request: a good one, as far as HTTP goes. */
export function toBytes({ method, target, headers, body }: FuzzRequest): Buffer {
  const length = body === null ? [] : [["content-length", String(body.length)]];
  const lines = [["host", "desk"], ...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return body === null ? head : Buffer.concat([head, body]);
}

/** Text for a shell, byte for byte. */
function quoted(bytes: Buffer): string {
  const text = [...bytes].map((byte) =>
    byte >= 32 && byte < 127 && byte !== 39 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `$'${text.join("")}'`;
}

/** How to send it again; a NUL in a body cannot be an argument, so bodies come from a pipe. */
export function toCurl(url: string, { method, target, headers, body }: FuzzRequest): string {
  const options = headers.map(([name, value]) => ` -H ${quoted(Buffer.from(`${name}: ${value}`, "latin1"))}`).join("");
  const data = body === null ? "" : " --data-binary @-";
  const pipe = body === null ? "" : `base64 -d <<< ${body.toString("base64")} | `;
  return `${pipe}curl -i --path-as-is -X ${method}${options}${data} ${quoted(Buffer.from(url + target, "latin1"))}`;
}
