/** A mail server on 127.0.0.1 that behaves as a test demands. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and bodies as sent. */
  readonly raw: string;
  readonly messageId: string;
}

/** What the server does with the next message; `drop`: it has the message, and closes without an answer. */
export type MailBehavior =
  | "accept"
  | "hang"
  | "drop"
  | { readonly slowMs: number }
  | { readonly recipient: number }
  | { readonly data: number };

export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  readonly connections: () => number;
  readonly mostConnections: () => number;
  behave(behavior: MailBehavior): void;
  close(): Promise<void>;
}

export async function startMailServer(options: { readonly port?: number } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let behavior: MailBehavior = "accept";
  let open = 0;
  let most = 0;
  const fail = (responseCode: number) => Object.assign(new Error("not here"), { responseCode });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, callback) {
      open += 1;
      most = Math.max(most, open);
      if (behavior !== "hang") callback();
    },
    onClose() {
      open -= 1;
    },
    onRcptTo(_address, _session, callback) {
      callback(typeof behavior === "object" && "recipient" in behavior ? fail(behavior.recipient) : null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const now = behavior;
        if (typeof now === "object" && "data" in now) return callback(fail(now.data));
        if (typeof now === "object" && "slowMs" in now) await new Promise((resolve) => setTimeout(resolve, now.slowMs));
        const raw = Buffer.concat(chunks).toString("utf8");
        const messageId = /^Message-ID: <(.+)>$/im.exec(raw)?.[1] ?? "";
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, messageId });
        if (now === "drop") return closeConnections(server);
        callback();
      });
    },
  });
  server.on("error", () => {});
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    connections: () => open,
    mostConnections: () => most,
    behave(next) {
      behavior = next;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function closeConnections(server: SMTPServer): void {
  for (const connection of server.connections) (connection as unknown as { close(): void }).close();
}
