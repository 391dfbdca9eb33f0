/** A proxy between server and database that simulates network failures. */
import { connect, createServer, type Server, type Socket } from "node:net";

export interface DatabaseProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Forwards new connections to another database server; open ones remain. */
  pointTo(databaseUrl: string): void;
  /**
   * Breaks the connection of the next statement of this name, after executing it or, with `arrives` false, before it
   * arrives. Resolves then.
   * @param options.parameter the statement has it; default: any parameters
   */
  breakAt(marker: string, options: { readonly arrives: boolean; readonly parameter?: string }): Promise<void>;
  /** Silently blocks all traffic in both directions, by default from now on. @param from of a client's bytes: these do not arrive */
  freeze(from?: (sent: Buffer) => boolean): void;
  /** Loses all further answers of the open connections, whose statements arrive; new ones are forwarded. */
  loseAnswers(): void;
  /** Cuts all connections and forwards new ones. */
  thaw(): void;
  close(): Promise<void>;
}

interface Trap {
  readonly marker: Buffer;
  readonly parameter: string;
  readonly arrives: boolean;
  readonly sprung: () => void;
}

/** The bytes of a named statement in a Bind message: an empty portal name, then the statement's. */
export function statementNamed(name: string): string {
  return `\0${name}\0`;
}

/** `ReadyForQuery` ends the response to a statement. */
function endsWithReadyForQuery(chunk: Buffer): boolean {
  return chunk.length >= 6 && chunk.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]));
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  let trap: Trap | null = null;
  let frozen = false;
  let freezesAt = (_sent: Buffer) => false;
  let connections = 0;
  /** Connections up to this one get no more answers. */
  let unanswered = 0;
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    connections += 1;
    const place = connections;
    let swallowing: Trap | null = null;
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (chunk) => {
      frozen ||= freezesAt(chunk);
      if (frozen) return;
      if (trap && chunk.includes(trap.marker) && chunk.includes(trap.parameter)) {
        swallowing = trap;
        trap = null;
        if (!swallowing.arrives) {
          client.destroy();
          return swallowing.sprung();
        }
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (frozen || place <= unanswered) return;
      if (swallowing === null) return void client.write(chunk);
      if (!endsWithReadyForQuery(chunk)) return;
      client.destroy();
      swallowing.sprung();
    });
  });
  const port = await listen(server);
  const url = new URL(databaseUrl);
  url.port = String(port);
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    url: url.href,
    pointTo(other) {
      target = new URL(other);
    },
    breakAt: (marker, { arrives, parameter = "" }) =>
      new Promise((resolve) => {
        trap = { marker: Buffer.from(marker), parameter, arrives, sprung: resolve };
      }),
    freeze(from) {
      if (from) freezesAt = from;
      else frozen = true;
    },
    loseAnswers() {
      unanswered = connections;
    },
    thaw() {
      cutAll();
      frozen = false;
      freezesAt = () => false;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cutAll();
      await closed;
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return address.port;
}
