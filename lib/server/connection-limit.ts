import type { Server } from "node:http";
import type { Socket } from "node:net";
import { anyCidrContains, normalizeAddress } from "#lib/domain/cidr.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import type { Protection } from "./protection.ts";

/**
 * Limits the open connections of a server, in total and per source: an IPv4 address or an IPv6 /64. Closes connections
 * above a source's limit. At the total limit, idle connections make room.
 */
export function limitConnections(server: Server, limits: Protection): void {
  const openBySource = new Map<string, number>();
  server.maxConnections = limits.maxConnections;
  server.on("drop", () => {
    limits.connectionRejected("total_limit");
    server.closeIdleConnections();
  });
  server.on("connection", (socket: Socket) => {
    const address = normalizeAddress(socket.remoteAddress ?? "");
    if (address === null || anyCidrContains(limits.trustedProxies, address)) return;
    const source = rateLimitSource(address);
    const open = openBySource.get(source) ?? 0;
    if (open >= limits.maxConnectionsPerSource) {
      limits.connectionRejected("source_limit");
      socket.destroy();
      return;
    }
    openBySource.set(source, open + 1);
    socket.once("close", () => {
      const left = (openBySource.get(source) ?? 1) - 1;
      if (left > 0) openBySource.set(source, left);
      else openBySource.delete(source);
    });
  });
}
