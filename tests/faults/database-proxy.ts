/** Stands between a server and its database, and does to their connections what networks do. */
import { connect, createServer, type Server, type Socket } from "node:net";

export interface DatabaseProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Passes on to another database server from now on: connections that are open stay with the old one. */
  pointTo(databaseUrl: string): void;
  /**
   * The next statement of this name is carried out, but its connection breaks before the answer is through; or, with
   * `arrives` false, before the statement is. Resolves when that has happened.
   */
  breakAt(marker: string, options: { readonly arrives: boolean }): Promise<void>;
  /** Nothing passes any more, in either direction, and nobody is told. */
  freeze(): void;
  /** Cuts every connection that there is, and passes on new ones. */
  thaw(): void;
  close(): Promise<void>;
}

interface Trap {
  readonly marker: Buffer;
  readonly arrives: boolean;
  readonly sprung: () => void;
}

/** How a named statement shows in a Bind message, and only there: an empty portal name, then the statement's. */
export function statementNamed(name: string): string {
  return `\0${name}\0`;
}

/** `ReadyForQuery`: all that the server says to a statement is said. */
function endsWithReadyForQuery(chunk: Buffer): boolean {
  return chunk.length >= 6 && chunk.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]));
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  let trap: Trap | null = null;
  let frozen = false;
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
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
      if (frozen) return;
      if (trap && chunk.includes(trap.marker)) {
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
      if (frozen) return;
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
    breakAt: (marker, { arrives }) =>
      new Promise((resolve) => {
        trap = { marker: Buffer.from(marker), arrives, sprung: resolve };
      }),
    freeze() {
      frozen = true;
    },
    thaw() {
      cutAll();
      frozen = false;
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
