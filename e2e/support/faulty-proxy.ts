import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `request lost`, `no response`: it never arrives. `response lost`, `response cut`: the server did the work. Otherwise a load balancer's answer. */
export type Fault =
  | "request lost"
  | "no response"
  | "response lost"
  | "response cut"
  | "passed on"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

interface PassedRequest {
  readonly key: string | undefined;
  readonly atMs: number;
  /** Sends it again, and returns the status. */
  resend(): Promise<number>;
}

export interface FaultyProxy {
  readonly url: string;
  readonly requests: readonly PassedRequest[];
  close(): Promise<void>;
}

/** Passes requests on to `baseUrl`, after one fault for each of the first requests. */
export async function startFaultyProxy(baseUrl: string, faults: readonly Fault[]): Promise<FaultyProxy> {
  const requests: PassedRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = faults[requests.length];
    const { method = "GET", url, headers } = request;
    const { host: _host, connection: _connection, "content-length": _length, ...passedOn } = headers;
    const body = request.toArray().then((chunks) => Buffer.concat(chunks));
    const pass = async () => {
      const content = (await body).length > 0 ? { body: await body } : {};
      return fetch(`${baseUrl}${url}`, { method, headers: passedOn as Record<string, string>, ...content });
    };
    requests.push({
      key: headers["idempotency-key"] as string | undefined,
      atMs: performance.now(),
      resend: async () => (await pass()).status,
    });
    await body;
    if (fault === "no response") return;
    if (fault === "request lost") return void request.socket.destroy();
    if (typeof fault === "object")
      return void response.writeHead(fault.status, fault.headers).end(fault.body ?? "<h1>Try later</h1>");
    const answer = await pass();
    const text = Buffer.from(await answer.arrayBuffer());
    if (fault === "response lost") return void request.socket.destroy();
    const passedBack = { ...Object.fromEntries(answer.headers), "content-length": String(text.length) };
    response.writeHead(answer.status, passedBack);
    if (fault === undefined || fault === "passed on") return void response.end(text);
    response.write(text.subarray(0, text.length / 2), () => request.socket.end());
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
