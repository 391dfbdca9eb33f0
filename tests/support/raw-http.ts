import { once } from "node:events";
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Name as on the wire → value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly text: string;
}

/** Sends raw bytes and reads until the server closes the connection. */
export async function exchange(port: number, sent: string | Uint8Array, localAddress = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  // A server that has responded may reset the connection during the rest of the request.
  socket.on("error", () => undefined);
  let received = "";
  socket.on("data", (piece) => {
    received += piece;
  });
  socket.write(sent);
  await once(socket, "close");
  return received;
}

/** Reads the first response. @throws if there is none */
export function readAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (end < 0 || status === undefined) throw new Error(`no answer: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { status: Number(status), headers, body: text.slice(end + 4), text };
}
