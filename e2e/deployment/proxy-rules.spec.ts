import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { findFreePort } from "#lib/embedded/free-port.ts";
import {
  askProxy,
  findProxy,
  HOST_NAME,
  proxyNames,
  type RunningProxy,
  resendsBodies,
  startProxy,
} from "../support/proxy.ts";
import { expect, test } from "../support/test.ts";

/** By then the proxy has closed its side of closed connections. */
const CLOSE_NOTICED_MS = 200;
/** Both proxies skip an instance for two seconds after it refused a connection; Caddy then asks whether it is ready. */
const TRIED_AGAIN_MS = 2_100;
const NOTICED_AGAIN_MS = 4_500;
const CLIENTS = 16;
const CHARGES = 20;

/** Stands in for an instance, and does to a connection what a test says. */
interface Instance {
  readonly server: Server;
  readonly port: number;
  readonly seen: IncomingMessage[];
  readonly bodies: WeakMap<IncomingMessage, string>;
  answer(request: IncomingMessage, response: ServerResponse): void;
}

async function startInstance(): Promise<Instance> {
  const seen: IncomingMessage[] = [];
  const bodies = new WeakMap<IncomingMessage, string>();
  const server = createServer((request, response) => {
    if (request.url === "/readyz") {
      response.end("{}");
      return;
    }
    seen.push(request);
    // A test that ends an instance cuts requests.
    const received = text(request).catch(() => null);
    void received.then((body) => {
      if (body === null) return;
      bodies.set(request, body);
      instance.answer(request, response);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const instance: Instance = {
    server,
    port: (server.address() as AddressInfo).port,
    seen,
    bodies,
    answer: (_, response) => void response.end("done"),
  };
  return instance;
}

for (const name of proxyNames) {
  test.describe(name, () => {
    test.describe.configure({ mode: "serial" });
    test.skip(findProxy(name) === null, `${name} is not installed`);

    let instances: readonly [Instance, Instance];
    let proxy: RunningProxy;
    const seen = () => instances.flatMap((instance) => instance.seen);

    test.beforeAll(async () => {
      instances = [await startInstance(), await startInstance()];
      const [first, second] = instances.map(({ port }) => `127.0.0.1:${port}`);
      proxy = await startProxy(name, await findFreePort(), [first ?? "", second ?? ""]);
    });

    test.beforeEach(() => {
      for (const instance of instances) {
        instance.seen.length = 0;
        instance.answer = (_, response) => void response.end("done");
      }
    });

    const charge = (key: string) =>
      askProxy(proxy, "/api/v1/", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "idempotency-key": key },
        body: `key=${key}`,
      });

    test.afterAll(async () => {
      await proxy.stop();
      for (const { server } of instances) server.close().closeAllConnections();
    });

    test("the client's address, the host and the scheme are the real ones, whatever the client sends", async () => {
      const forged = {
        "x-forwarded-for": "203.0.113.66",
        "x-forwarded-proto": "http",
        "x-forwarded-host": "evil.example",
        forwarded: "for=203.0.113.66",
      };
      await askProxy(proxy, "/", { headers: forged, from: "127.0.0.9" });
      expect(seen()[0]?.headers).toMatchObject({
        "x-forwarded-for": "127.0.0.9",
        "x-forwarded-proto": "https",
        host: `${HOST_NAME}:${proxy.port}`,
      });
      expect(Object.keys(seen()[0]?.headers ?? {})).not.toContain("x-forwarded-host");
      expect(Object.keys(seen()[0]?.headers ?? {})).not.toContain("forwarded");
    });

    test("an answer is passed on as it is written, not when it ends", async () => {
      const started = Promise.withResolvers<void>();
      for (const instance of instances) {
        instance.answer = (_, response) => {
          response.write("first,");
          void started.promise.then(() => response.end("last"));
        };
      }
      const answer = await askProxy(proxy, "/licenses/export", {
        onStart: (start) => (start === "first," ? started.resolve() : started.reject(new Error(start))),
      });
      expect(answer.text).toBe("first,last");
    });

    test("metrics stay inside, however the path is written", async () => {
      for (const path of ["/metrics", "/metrics?name=x", "//metrics", "/%6detrics", "/api/../metrics"]) {
        expect((await askProxy(proxy, path)).status, path).toBe(404);
      }
      expect(seen()).toEqual([]);
    });

    test("a charge that an instance received is not sent again; a read is", async () => {
      const die = (request: IncomingMessage) => void request.socket.destroy();
      for (const instance of instances) instance.answer = die;
      const headers = { "idempotency-key": "once", "content-type": "application/x-www-form-urlencoded" };
      const charge = await askProxy(proxy, "/api/v1/?endpoint=license.register", {
        method: "POST",
        headers,
        body: "a=1",
      });
      expect([charge.status, seen().length]).toEqual([502, 1]);

      instances[1].answer = (_, response) => void response.end("done");
      await expect(async () => {
        const before = instances[0].seen.length;
        expect(await askProxy(proxy, "/api/v1/licenses")).toMatchObject({ status: 200, text: "done" });
        expect(instances[0].seen.length).toBeGreaterThan(before);
      }).toPass({ intervals: [100] });
    });

    test("an instance that does not listen gets no request, and none is lost that the proxy can send again", async () => {
      const { server, port } = instances[0];
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      await sleep(CLOSE_NOTICED_MS);
      const reads = await Promise.all(Array.from({ length: 20 }, () => askProxy(proxy, "/api/v1/licenses")));
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
      expect(instances[1].seen).toHaveLength(20);
      await sleep(TRIED_AGAIN_MS);
      const charges = await Promise.all(Array.from({ length: 20 }, (_, number) => charge(String(number))));
      const lost = charges.filter(({ status }) => status !== 200);
      if (resendsBodies(name)) expect(lost).toEqual([]);
      expect(lost.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
      expect(instances[1].seen).toHaveLength(20 + charges.length - lost.length);
      await once(server.listen(port, "127.0.0.1"), "listening");
    });

    test("whatever is sent again, each request has its own body", async () => {
      const { server, port } = instances[0];
      const arrived: string[] = [];
      instances[1].answer = (request, response) => {
        arrived.push(`${request.headers["idempotency-key"]} ${instances[1].bodies.get(request)}`);
        response.end("done");
      };
      const client = async (number: number) => {
        // The end of an instance may cut what it was answering.
        for (let count = 0; count < CHARGES; count++) await charge(`${number}-${count}`).catch(() => null);
      };
      for (let round = 0; round < 2; round++) {
        await sleep(NOTICED_AGAIN_MS);
        await new Promise((resolve) => server.close(resolve).closeAllConnections());
        await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
        await once(server.listen(port, "127.0.0.1"), "listening");
      }
      expect(arrived.length).toBeGreaterThan(CLIENTS);
      expect(arrived.filter((line) => !/^(\S+) key=\1$/.test(line))).toEqual([]);
    });

    test("other host names get no certificate", async () => {
      const socket = connectTls({ host: "127.0.0.1", port: proxy.port, servername: "other.example" });
      const [error] = await once(socket, "error");
      expect(String(error)).toMatch(/alert|ECONNRESET/i);
    });

    test("over plain http pages are redirected, and a key is refused instead of redirected", async () => {
      test.skip(proxy.httpPort === null, "Caddy's own redirect is not part of the configuration");
      const ask = async (path: string) => {
        const sent = httpRequest({ host: "127.0.0.1", port: proxy.httpPort, path, headers: { host: HOST_NAME } }).end();
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        response.resume();
        return [response.statusCode, response.headers.location];
      };
      expect(await ask("/licenses?q=web")).toEqual([308, `https://${HOST_NAME}/licenses?q=web`]);
      for (const path of ["/api/v1/licenses", "/api/v1?endpoint=balance", "/mcp"]) {
        expect(await ask(path)).toEqual([403, undefined]);
      }
    });
  });
}
