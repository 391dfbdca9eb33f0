import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long, and how much, a client may go on sending of a request that is answered already. */
export const DRAIN_MS = 1_000;
const DRAIN_BYTES = 8 * 1024 * 1024;
const CHECK_MS = 10;

interface Draining {
  /** The latest request of the connection. */
  request: IncomingMessage;
  /** Closes the connection without waiting any more. */
  readonly close: () => void;
}

const drainings = new WeakMap<Socket, Draining>();

/**
 * Lets a client send on for a while before its connection is closed. A connection that is closed at once is reset under
 * a client that still sends, and the answer is lost with it. What arrives is thrown away.
 */
export function drainBeforeClosing(request: IncomingMessage): Draining {
  const { socket } = request;
  const known = drainings.get(socket);
  if (known) {
    known.request = request;
    return known;
  }
  const draining: Draining = { request, close: socket.destroySoon.bind(socket) };
  drainings.set(socket, draining);
  // Node calls it once the last answer of a connection is sent.
  socket.destroySoon = () => drain(draining.request, socket, draining.close);
  return draining;
}

/** Throws away what a client still sends of a request, and calls `end` when it has sent all or enough of it. */
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
