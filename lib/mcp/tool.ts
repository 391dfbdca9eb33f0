import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { invalidParameters } from "#lib/domain/errors.ts";
import type { Currency } from "#lib/domain/money.ts";
import { traced } from "#lib/domain/trace.ts";
import type { Endpoint } from "#lib/http/endpoint.ts";
import { presentDispatchError } from "#lib/http/error-table.ts";
import { requireScope } from "#lib/http/handle.ts";
import { contextOf, type KeyRequest, toShownError } from "#lib/http/key-request.ts";
import { collect } from "#lib/http/read-parameters.ts";

/** An operation as a language model sees it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What each argument means. */
  readonly about: Readonly<Record<string, string>>;
  /** Answers like an operation of the dispatch interface. */
  readonly endpoint: Endpoint;
  /** Default: it only reads. */
  readonly charges?: true;
}

const FIRST_ERROR_STATUS = 400;

/** Runs a tool. Errors are results, which the model reads. */
export async function callTool(tool: Tool, args: object, call: KeyRequest): Promise<CallToolResult> {
  const { status, body } = await runTool(tool, args, call);
  call.logAs({ name: logName(tool), scope: tool.endpoint.scope }, status);
  return status < FIRST_ERROR_STATUS ? toResult(body) : toErrorResult(body);
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: of the dispatch interface, by status
  readonly body: any;
}

async function runTool(tool: Tool, args: object, call: KeyRequest): Promise<Answer> {
  const { key, sourceAddress, runtime, requestId } = call;
  const { endpoint } = tool;
  try {
    requireScope(key, endpoint);
    const raw = collect(Object.entries(args));
    requireKnownArguments(raw, tool, key.currency);
    const read = endpoint.read(raw, { sourceAddress, currency: key.currency });
    return await traced({ name: `service ${endpoint.name}` }, () => read.handle(contextOf(call)));
  } catch (error) {
    return presentDispatchError(toShownError(error, runtime, requestId));
  }
}

/** Of a tool's calls in the log of a key. */
export function logName({ name }: Tool): string {
  return `mcp.${name}`;
}

/** An operation ignores unknown parameters. A tool does not: a model that invents a filter must not get everything. */
function requireKnownArguments(raw: object, { endpoint, name }: Tool, currency: Currency): void {
  const known = Object.keys(endpoint.schemaFor(currency).shape);
  const unknown = Object.keys(raw).filter((argument) => !known.includes(argument));
  if (unknown.length === 0) return;
  const message = `is not an argument of ${name}: ${known.length > 0 ? `use ${known.join(", ")}` : "it has none"}`;
  throw invalidParameters(unknown.map((field) => ({ field, kind: "unreadable", message })));
}

interface Success {
  readonly message?: string;
  readonly data: Record<string, unknown>;
}

function toResult({ message, data }: Success): CallToolResult {
  const texts = [...(message === undefined ? [] : [message]), JSON.stringify(data)];
  return { content: texts.map((text) => ({ type: "text", text })), structuredContent: data };
}

function toErrorResult({ code, message, details }: { code: string; message: string; details: object }): CallToolResult {
  const known = Object.keys(details).length > 0 ? `\n${JSON.stringify(details)}` : "";
  return { content: [{ type: "text", text: `${code}: ${message}${known}` }], isError: true };
}

const descriptions = new WeakMap<Tool, ListedTool>();

/** The tool in a list of tools. */
export function describeTool(tool: Tool): ListedTool {
  const described = descriptions.get(tool) ?? toDescription(tool);
  descriptions.set(tool, described);
  return described;
}

function toDescription({ name, title, description, about, endpoint, charges }: Tool): ListedTool {
  const input = toJsonSchema(endpoint.schemaFor("USD" as Currency), "input");
  const properties = Object.entries(input.properties ?? {}).map(([argument, schema]) => [
    argument,
    { ...(schema as object), description: about[argument] },
  ]);
  const answer = endpoint.responses[200] as z.ZodObject<{ data: z.ZodType }>;
  return {
    name,
    title,
    description,
    inputSchema: { ...input, type: "object", properties: Object.fromEntries(properties), additionalProperties: false },
    outputSchema: toJsonSchema(answer.shape.data, "output"),
    annotations: {
      readOnlyHint: charges !== true,
      destructiveHint: charges === true,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Schemas go into the context of a model, so what a format or a type says is left out. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output") {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }) {
      Object.assign(jsonSchema, jsonSchema.override);
      delete jsonSchema.override;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}
