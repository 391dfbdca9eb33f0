import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long, and how much, a client may continue to send after the response. */
export const DRAIN_MS = 1_000;
const DRAIN_BYTES = 8 * 1024 * 1024;
const CHECK_MS = 10;

interface Draining {
  /** The latest request of the connection. */
  request: IncomingMessage;
  /** Whether the last response has been sent. */
  ended: boolean;
  /** Closes the connection immediately. */
  readonly close: () => void;
}

const drainings = new WeakMap<Socket, Draining>();

/**
 * Lets a client finish sending before its connection is closed. Otherwise the connection is reset while the client
 * sends, and the response is lost. Incoming data is discarded.
 */
export function drainBeforeClosing(request: IncomingMessage): Draining {
  const { socket } = request;
  const known = drainings.get(socket);
  if (known) {
    known.request = request;
    return known;
  }
  const draining: Draining = { request, ended: false, close: socket.destroySoon.bind(socket) };
  drainings.set(socket, draining);
  // Node calls it after the last response of a connection.
  socket.destroySoon = () => {
    draining.ended = true;
    drain(draining.request, socket, draining.close);
  };
  return draining;
}

/** Whether the last response of a connection has been sent. Node still parses what follows, and would serve it. */
export function hasSentLastResponse(socket: Socket): boolean {
  return socket.writableEnded || (drainings.get(socket)?.ended ?? false);
}

/** Discards what a client still sends, and calls `end` when it has sent all of it or enough. */
export function drain(request: IncomingMessage, socket: Socket, end: () => void): void {
  if (request.complete) {
    end();
    return;
  }
  const enough = socket.bytesRead + DRAIN_BYTES;
  const endsAtMs = performance.now() + DRAIN_MS;
  request.resume();
  const timer = setInterval(() => {
    if (!request.complete && !socket.destroyed && performance.now() < endsAtMs) {
      if (socket.bytesRead > enough) socket.pause();
      return;
    }
    clearInterval(timer);
    end();
  }, CHECK_MS);
}
