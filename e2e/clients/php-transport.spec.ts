import { type Fault, startFaultyProxy } from "../support/faulty-proxy.ts";
import { callPhp, missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const CHARGED = { price: "10", currency: "USD", balance_after: "990" };
/** How long Node keeps an idle connection. */
const IDLE_CONNECTION_MS = 5_000;

async function order(reseller: Reseller) {
  const { product_id, cycle_id } = await reseller.newProduct();
  return { product_id, cycle_id, ip_address: reseller.newAddress() };
}

for (const transport of ["stream", "curl"]) {
  test.describe(`by ${transport}`, () => {
    test.beforeEach(async () => {
      const missing = await missingPhp(...(transport === "curl" ? ["curl"] : []));
      test.skip(missing !== null, String(missing));
    });

    for (const fault of [
      "request lost",
      "response lost",
      "response cut",
      { status: 502 },
      { status: 200, body: '{"status":"ok"}' },
      { status: 503, headers: { "retry-after": "1" } },
      { status: 429, headers: { "retry-after": "1" } },
    ] satisfies Fault[]) {
      test(`a registration met by ${JSON.stringify(fault)} is repeated under its key and charged once`, async ({
        reseller,
      }) => {
        const proxy = await startFaultyProxy(reseller.baseUrl, [fault]);
        const args = [await order(reseller)];
        const [outcome] = await callPhp(
          { ...reseller, baseUrl: proxy.url },
          [{ on: "licenses", do: "register", args }],
          {
            transport,
          },
        );
        await proxy.close();
        expect(outcome).toMatchObject({ value: { status: 200, pending: false, data: CHARGED } });
        expect(outcome?.value.replayed).toBe(fault === "response lost" || fault === "response cut");
        const [first, second] = proxy.requests;
        expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
        expect(proxy.requests.map(({ key }) => key)).toEqual([first?.key, first?.key]);
        if (typeof fault === "object" && "headers" in fault) {
          expect(Number(second?.atMs) - Number(first?.atMs)).toBeGreaterThanOrEqual(990);
        }
        expect((await reseller.path.get("/licenses")).body.licenses).toHaveLength(1);
        expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(990);
      });
    }

    for (const faults of [
      [{ status: 500 }],
      ["response lost", { status: 429, headers: { "retry-after": "61" } }],
      ["response lost", { status: 404, body: '{"code":404,"message":"No route"}' }],
      ["request lost", { status: 400, body: '{"error":true,"code":"INSUFFICIENT_BALANCE","message":"","details":{}}' }],
      ["request lost", { status: 409, body: '{"error":true,"code":"INVALID_REQUEST","message":"","details":{}}' }],
    ] satisfies Fault[][]) {
      test(`after ${JSON.stringify(faults)} the exception has the key to repeat the change, which is charged once`, async ({
        reseller,
      }) => {
        const proxy = await startFaultyProxy(reseller.baseUrl, faults);
        const register = { on: "licenses", do: "register", args: [await order(reseller)] };
        const to = { ...reseller, baseUrl: proxy.url };
        const [failed] = await callPhp(to, [register], { transport });
        const idempotencyKey = proxy.requests[0]?.key;
        expect(failed?.failure).toMatchObject({ idempotencyKey, isUnclear: true });
        const [outcome] = await callPhp(to, [{ ...register, args: [...register.args, idempotencyKey] }], { transport });
        await proxy.close();
        expect(outcome).toMatchObject({ value: { status: 200, data: CHARGED } });
        expect((await reseller.path.get("/licenses")).body.licenses).toHaveLength(1);
      });
    }

    test("a call waits as long as allowed for all its attempts together, and longer for a limit of requests", async ({
      reseller,
    }) => {
      const settings = { transport, longestWaitSeconds: 1, longestLimitSeconds: 3 };
      const balance = { on: "", do: "balance" };
      for (const [status, requests] of [
        [503, 2],
        [429, 4],
      ] as const) {
        const limited = { status, headers: { "retry-after": "1" } };
        const proxy = await startFaultyProxy(reseller.baseUrl, Array(5).fill(limited));
        const [outcome] = await callPhp({ ...reseller, baseUrl: proxy.url }, [balance], settings);
        await proxy.close();
        expect(outcome?.failure).toMatchObject({ status, retryAfter: 1 });
        expect(proxy.requests).toHaveLength(requests);
      }
    });

    test("a wait for a limit of requests takes nothing from the waits after a lost connection", async ({
      reseller,
    }) => {
      const settings = { transport, longestWaitSeconds: 2, longestLimitSeconds: 5 };
      const faults: Fault[] = [{ status: 429, headers: { "retry-after": "3" } }, "request lost"];
      const proxy = await startFaultyProxy(reseller.baseUrl, faults);
      const [outcome] = await callPhp({ ...reseller, baseUrl: proxy.url }, [{ on: "", do: "balance" }], settings);
      await proxy.close();
      expect(outcome).toHaveProperty("value");
      expect(proxy.requests).toHaveLength(3);
    });

    test("a call waits until the date that the server names", async ({ reseller }) => {
      const until = Math.ceil(Date.now() / 1000) * 1000 + 3_000;
      const fault = { status: 503, headers: { "retry-after": new Date(until).toUTCString() } };
      const proxy = await startFaultyProxy(reseller.baseUrl, [fault]);
      await callPhp({ ...reseller, baseUrl: proxy.url }, [{ on: "", do: "balance" }], { transport });
      await proxy.close();
      expect(Date.now()).toBeGreaterThanOrEqual(until);
      expect(proxy.requests).toHaveLength(2);
    });

    for (const fault of ["request lost", { status: 502 }] satisfies Fault[]) {
      test(`a call that must not wait does not retry (${JSON.stringify(fault)})`, async ({ reseller }) => {
        const proxy = await startFaultyProxy(reseller.baseUrl, Array(5).fill(fault));
        const balance = { on: "", do: "balance" };
        const settings = { transport, longestWaitSeconds: 0 };
        const [outcome] = await callPhp({ ...reseller, baseUrl: proxy.url }, [balance], settings);
        await proxy.close();
        expect(outcome).toHaveProperty("failure");
        expect(proxy.requests).toHaveLength(1);
      });
    }

    for (const fault of [{ status: 503, headers: { "retry-after": "1" } }, "no response"] satisfies Fault[]) {
      test(`the wait for an outcome ends in time (${JSON.stringify(fault)})`, async ({ reseller }) => {
        const proxy = await startFaultyProxy(reseller.baseUrl, ["passed on", ...Array(8).fill(fault)]);
        const args = [{ ...(await order(reseller)), ip_address: "192.0.2.20" }];
        const calls = [
          { on: "licenses", do: "register", args },
          { on: 0, do: "settled", args: [2] },
        ];
        const [, settled] = await callPhp({ ...reseller, baseUrl: proxy.url }, calls, { transport });
        const endedAtMs = performance.now();
        await proxy.close();
        expect(settled?.failure.class).toBe("LicenseDesk\\OperationPendingException");
        expect(endedAtMs - Number(proxy.requests[1]?.atMs)).toBeLessThan(4_000);
      });
    }

    for (const fault of [{ status: 401 }, { status: 429, headers: { "retry-after": "61" } }] satisfies Fault[]) {
      test(`a pending change whose outcome is asked for in vain (${fault.status}) is still unknown, not failed`, async ({
        reseller,
      }) => {
        const proxy = await startFaultyProxy(reseller.baseUrl, ["passed on", fault]);
        const args = [{ ...(await order(reseller)), ip_address: "192.0.2.20" }];
        const [pending, settled] = await callPhp(
          { ...reseller, baseUrl: proxy.url },
          [
            { on: "licenses", do: "register", args },
            { on: 0, do: "settled", args: [5] },
          ],
          { transport },
        );
        await proxy.close();
        expect(settled?.failure).toEqual({
          class: "LicenseDesk\\OperationPendingException",
          message: expect.stringMatching(`still unknown: .*${fault.status}`),
          operationId: pending?.value.operationId,
        });
      });
    }

    test("after a 500, a verification and a dry run have no key, and nothing is unclear", async ({ reseller }) => {
      const { license_key } = await reseller.newLicense();
      for (const [method, parameters] of [
        ["verify", { license_key }],
        ["register", { ...(await order(reseller)), dry_run: true }],
      ] as const) {
        const proxy = await startFaultyProxy(reseller.baseUrl, [{ status: 500 }]);
        const call = { on: "licenses", do: method, args: [parameters] };
        const [outcome] = await callPhp({ ...reseller, baseUrl: proxy.url }, [call], { transport });
        await proxy.close();
        expect(outcome?.failure).toMatchObject({ status: 500, idempotencyKey: null, isUnclear: false });
        expect(proxy.requests.map(({ key }) => key)).toEqual([undefined]);
      }
    });

    test("half a rejection is no rejection: it is asked for again", async ({ newReseller }) => {
      const reseller = await newReseller({ funds: "0" });
      const proxy = await startFaultyProxy(reseller.baseUrl, ["response cut"]);
      const register = { on: "licenses", do: "register", args: [await order(reseller)] };
      const [outcome] = await callPhp({ ...reseller, baseUrl: proxy.url }, [register], { transport });
      await proxy.close();
      expect(outcome?.failure.code).toBe("INSUFFICIENT_BALANCE");
      expect(proxy.requests).toHaveLength(2);
    });

    test("a server that does not answer in time is a failure with the key to repeat the call by", async ({
      reseller,
    }) => {
      const silent = await startFaultyProxy(reseller.baseUrl, ["no response", "no response"]);
      const args = { parameters: await order(reseller), idempotencyKey: "order-7" };
      const settings = { transport, timeoutSeconds: 0.3, maxRetries: 1 };
      const register = { on: "licenses", do: "register", args };
      const [lost] = await callPhp({ ...reseller, baseUrl: silent.url }, [register], settings);
      expect(lost?.failure).toMatchObject({ class: "LicenseDesk\\ConnectionException", idempotencyKey: "order-7" });
      expect(silent.requests.map(({ key }) => key)).toEqual(["order-7", "order-7"]);
      await silent.close();
    });

    test("the client does not wait for a server to close the connection", async ({ reseller }) => {
      const proxy = await startFaultyProxy(reseller.baseUrl, []);
      const balance = { on: "", do: "balance" };
      const startedAtMs = performance.now();
      const outcomes = await callPhp({ ...reseller, baseUrl: proxy.url }, [balance, balance, balance], { transport });
      expect(outcomes.map(({ value }) => value.data.balance)).toEqual(["1000", "1000", "1000"]);
      expect(performance.now() - startedAtMs).toBeLessThan(IDLE_CONNECTION_MS);
      await proxy.close();
    });

    test("path and dispatch interface answer signed requests", async ({ reseller }) => {
      const { apiKey, signingSecret } = await reseller.newKey({ signing: "required" });
      const { license_key } = await reseller.newLicense({ ip: reseller.newAddress() });
      const outcomes = await callPhp(
        { ...reseller, apiKey },
        [
          { on: "", do: "balance" },
          { on: "licenses", do: "verify", args: [{ license_key, ip_address: "203.0.113.99" }] },
          { on: "licenses", do: "update", args: [{ license_key, hostname: "web1.example.com" }] },
          { on: "licenses", do: "list", args: [{ q: "web1.example" }] },
        ],
        { transport, signingSecret },
      );
      expect(outcomes).toMatchObject([
        { value: { data: { balance: "990" } } },
        { value: { data: { valid: false, code: "IP_MISMATCH" } } },
        { value: { data: { success: true } } },
        { value: [{ server: "web1.example.com" }] },
      ]);
    });
  });
}
