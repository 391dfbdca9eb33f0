import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { getRuntime } from "#lib/runtime.ts";
import { newUser } from "../support/dashboard.ts";
import { type OwnServer, startOwnServer, startServer, stopProcess } from "../support/own-server.ts";
import { askProxy, findProxy, HOST_NAME, proxyNames, type RunningProxy, startProxy } from "../support/proxy.ts";
import { expect, test } from "../support/test.ts";
import { newReseller } from "../support/world.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Not a trusted proxy of the instances. */
const CLIENT = "127.0.0.9";
const TWO_MB = 2_000_000;
const CLIENTS = 4;

for (const name of proxyNames) {
  test.describe(name, () => {
    test.describe.configure({ mode: "serial" });
    test.skip(findProxy(name) === null, `${name} is not installed`);

    let first: OwnServer;
    let second: { child: ChildProcess; url: string };
    let proxy: RunningProxy;
    let env: Readonly<Record<string, string>>;

    test.beforeAll(async () => {
      const port = await findFreePort();
      env = { NEXTAUTH_URL: `https://${HOST_NAME}:${port}`, TRUSTED_PROXIES: "127.0.0.1/32", LOG_LEVEL: "silent" };
      first = await startOwnServer("server", env);
      second = await startServer("server", { ...process.env, ...env, NODE_ENV: "production" });
      proxy = await startProxy(name, port, [new URL(first.url).host, new URL(second.url).host]);
    });

    test.afterAll(async () => {
      await proxy.stop();
      await stopProcess(second.child);
      await first.stop();
    });

    test("a key bound to an address works from there only, whatever X-Forwarded-For claims", async () => {
      const reseller = await newReseller(first.url);
      const { apiKey } = await reseller.newKey({ cidrs: [`${CLIENT}/32`] });
      const ask = (from: string, claimed: string) =>
        askProxy(proxy, "/api/v1/?endpoint=balance", {
          from,
          headers: { "x-api-key": apiKey, "x-forwarded-for": claimed },
        });
      expect((await ask(CLIENT, "203.0.113.66")).status).toBe(200);
      expect((await ask("127.0.0.8", CLIENT)).status).toBe(403);
    });

    test("a user signs in and exports licenses; the cookies are for this host over https alone", async () => {
      const reseller = await newReseller(first.url);
      const { license_key } = await reseller.newLicense();
      const user = await newUser(reseller.resellerId);
      const csrf = await askProxy(proxy, "/api/auth/csrf");
      const cookiesOf = ({ headers }: typeof csrf) => headers["set-cookie"] ?? [];
      const pairs = (cookies: readonly string[]) => cookies.map((each) => each.split(";")[0]).join("; ");
      const fields = { ...JSON.parse(csrf.text), email: user.email, password: user.password, json: "true" };
      const signedIn = await askProxy(proxy, "/api/auth/callback/credentials", {
        method: "POST",
        headers: { ...FORM, cookie: pairs(cookiesOf(csrf)), origin: proxy.origin },
        body: new URLSearchParams(fields).toString(),
      });
      const session = cookiesOf(signedIn).filter((each) => each.includes("session-token"));
      expect(session, signedIn.text).toEqual([expect.stringMatching(/^__Host-license-desk\.session-token=.*; Secure/)]);
      const headers = { cookie: pairs(cookiesOf(signedIn)) };
      const exported = await askProxy(proxy, "/licenses/export", { headers });
      expect(exported.status).toBe(200);
      expect(exported.text).toContain(license_key);
      const page = await askProxy(proxy, "/licenses", { headers });
      expect(page.text).toContain("</html>");
      expect(page.headers["strict-transport-security"]).toContain("max-age=");
    });

    test("the API itself refuses a body of 2 MB", async () => {
      const reseller = await newReseller(first.url);
      const answer = await askProxy(proxy, "/api/v1/?endpoint=license.register", {
        method: "POST",
        headers: { ...FORM, "x-api-key": reseller.apiKey },
        body: `notes=${"x".repeat(TWO_MB)}`,
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ error: true, code: expect.any(String) });
    });

    test("a restart of an instance loses no request, and no charge happens twice", async () => {
      const reseller = await newReseller(first.url, { funds: "1000000" });
      const { product_id, cycle_id } = await reseller.newProduct();
      const headers = { ...FORM, "x-api-key": reseller.apiKey };
      let isRestarting = true;
      let registered = 0;
      const answers: number[] = [];
      const client = async (index: number) => {
        for (let count = 1; isRestarting; count++) {
          answers.push((await askProxy(proxy, "/api/v1/?endpoint=balance", { headers })).status);
          const body = new URLSearchParams({
            product_id: String(product_id),
            cycle_id: String(cycle_id),
            ip_address: `9.${index}.${count >> 8}.${count & 255}`,
          }).toString();
          const charge = { method: "POST", headers: { ...headers, "idempotency-key": `${index}-${count}` }, body };
          for (;;) {
            const { status, text } = await askProxy(proxy, "/api/v1/?endpoint=license.register", charge);
            if (status < 300) break;
            expect([502, 503], text).toContain(status);
            await sleep(100);
          }
          registered += 1;
        }
      };
      const clients = Array.from({ length: CLIENTS }, (_, index) => client(index));
      await stopProcess(second.child);
      const port = new URL(second.url).port;
      second = await startServer("server", { ...process.env, ...env, PORT: port, NODE_ENV: "production" });
      isRestarting = false;
      await Promise.all(clients);
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(registered).toBeGreaterThan(CLIENTS);
      const { resellerId } = reseller;
      expect(await getRuntime().db.prisma.license.count({ where: { resellerId } })).toBe(registered);
    });
  });
}
