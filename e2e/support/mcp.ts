import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "@playwright/test";
import type { Answer } from "./http.ts";
import type { Reseller } from "./world.ts";

/** The protocol with the handshake, and the stateless one. */
export const eras = ["legacy", "auto"] as const;

export interface McpOptions {
  readonly era?: (typeof eras)[number];
  readonly key?: string;
}

/** A client of `/mcp`, which checks every result against its tool's output schema. */
export async function connectMcp(
  { baseUrl, apiKey, source }: Reseller,
  { era = "auto", key = apiKey }: McpOptions = {},
): Promise<Client> {
  const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: era } });
  const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": source };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit: { headers } }));
  return client;
}

export interface ToolAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of answers
  readonly data: any;
  readonly text: string;
  /** The code of the error, or "OK". */
  readonly verdict: string;
}

/** Calls tools of one key. */
export async function toolsOf(reseller: Reseller, options?: McpOptions) {
  const client = await connectMcp(reseller, options);
  await client.listTools();
  return async (name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    if (!isError) expect(JSON.parse(text.split("\n").at(-1) ?? "")).toEqual(structuredContent);
    return { data: structuredContent, text, verdict: isError ? (text.split(":", 1)[0] ?? "") : "OK" };
  };
}

/** Sends a body as it is, and checks the headers of the answer (contract 1.5). */
export function postMcp(
  reseller: Reseller,
  body: unknown,
  options: { readonly key?: string | null; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  return reseller.path.send(
    {
      method: "POST",
      target: "/mcp",
      headers: { "content-type": "application/json", ...options.headers },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    },
    options.key === undefined ? {} : { key: options.key },
  );
}

export const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
