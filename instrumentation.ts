/**
 * Route handlers never see the socket, and their request's URL is normalized. Under a stock Next server this stamps
 * every request with its peer's address, so that the API can tell who really called (decisions 1.6), and with its target
 * as it was sent, which is what a signature covers (decisions 3.14). What the client sent under these names is overwritten.
 */
export async function register(): Promise<void> {
  // In this form, so that Next leaves the branch out of what it builds for the edge.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { subscribe } = await import("node:diagnostics_channel");
    subscribe("http.server.request.start", (message) => {
      const { request, socket } = message as {
        request: import("node:http").IncomingMessage;
        socket: import("node:net").Socket;
      };
      request.headers["x-license-desk-peer"] = socket.remoteAddress ?? "";
      request.headers["x-license-desk-target"] = request.url ?? "";
    });
  }
}
