import { createServer } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import { verifySignature } from "#lib/domain/request-signature.ts";
import { isStorable } from "#lib/domain/text.ts";
import {
  type Behavior,
  changeIp,
  closeServices,
  connectTo,
  data,
  info,
  json,
  listenOn,
  provision,
  REFERENCE,
  refusal,
  type Seen,
  service,
  TIMEOUT_MS,
} from "#tests/support/dispatch-service.ts";
import { always } from "#tests/support/faults.ts";
import { guardProvider } from "./provider-guard.ts";

afterEach(closeServices);

describe("what each response means", () => {
  const registered = {
    license_id: 12,
    license_key: "LIC-1",
    expires_at: info.expires_at,
    price: 1,
    currency: "USD",
    balance_after: 1,
  };
  const drip: Behavior = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  };
  const outcomes: readonly [string, Behavior, string][] = [
    ["success", data(registered), "succeeded"],
    ["success without a license", data({}), "unknown"],
    ["an explicit rejection", json(400, refusal("REGISTRATION_FAILED")), "rejected"],
    ["404 with the contract's body", json(404, refusal("PRODUCT_NOT_FOUND")), "rejected"],
    ["a rejection of our key", json(401, refusal("INVALID_API_KEY")), "rejected"],
    [
      "404 of something else",
      (_, response) => void response.writeHead(404, { "content-type": "text/html" }).end("<h1>"),
      "unknown",
    ],
    ["400 without the contract's body", json(400, { oops: true }), "unknown"],
    ["a request that is still running", json(409, refusal("IDEMPOTENCY_IN_PROGRESS")), "unknown"],
    ["another change in progress", json(409, refusal("OPERATION_IN_PROGRESS"), { "retry-after": "2" }), "not_sent"],
    ["too many requests", json(429, refusal("RATE_LIMITED"), { "retry-after": "9" }), "not_sent"],
    ["an unavailable provider of the provider", json(503, refusal("PROVIDER_UNAVAILABLE")), "not_sent"],
    ["503 of a proxy", json(503, { message: "busy" }), "unknown"],
    ["500", json(500, refusal("SERVER_ERROR")), "unknown"],
    ["202", json(202, { success: true, message: "", data: { status: "pending" } }), "unknown"],
    ["a redirect", (_, response) => void response.writeHead(302, { location: "/elsewhere" }).end(), "unknown"],
    ["a redirect with a body", json(307, { success: true, data: registered }, { location: "/" }), "unknown"],
    [
      "another content type",
      (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).end("{}"),
      "unknown",
    ],
    [
      "garbage",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{]"),
      "unknown",
    ],
    ["success: false", json(200, { success: false, data: registered }), "unknown"],
    ["an oversized body", data({ ...registered, filler: "x".repeat(300 * 1024) }), "unknown"],
    ["silence", () => {}, "unknown"],
    ["a trickling body", drip, "unknown"],
    ["a reset", (request) => void request.socket.destroy(), "unknown"],
    [
      "half a response",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
        setTimeout(() => response.destroy(), 20);
      },
      "unknown",
    ],
  ];

  test.each(outcomes)("%s", async (_, behavior, kind) => {
    const { provider, seen } = await service(behavior);
    const startedAt = performance.now();
    expect((await provider.execute(provision, always)).kind).toBe(kind);
    expect(performance.now() - startedAt).toBeLessThan(10 * TIMEOUT_MS);
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("no listener, no such name, no TLS: not sent", async () => {
    const { provider, port } = await service(() => {});
    await provider.execute(provision, always);
    closeServices();
    const gone = connectTo(`http://127.0.0.1:${port}/api/v1/`);
    expect(await gone.execute(provision, always)).toMatchObject({ kind: "not_sent", fault: "connection" });
    expect(await connectTo("http://no-such-host.invalid/api/v1/").execute(provision, always)).toMatchObject({
      kind: "not_sent",
    });
    const plain = await service(() => {});
    expect(await connectTo(`https://127.0.0.1:${plain.port}/api/v1/`).execute(provision, always)).toMatchObject({
      kind: "not_sent",
    });
  });

  test("a connection that ends during the TLS handshake: not sent", async () => {
    const { port } = await listenOn(createTcpServer((socket: Socket) => socket.once("data", () => socket.destroy())));
    expect(await connectTo(`https://127.0.0.1:${port}/api/v1/`).execute(provision, always)).toMatchObject({
      kind: "not_sent",
    });
  });

  test("a second answer to a request is not taken for the next one's", async () => {
    let lastId = 0;
    const answersTwice = createTcpServer((socket: Socket) => {
      let earlier = "";
      socket.on("data", (chunk) => {
        if (!String(chunk).startsWith("POST")) return;
        lastId += 1;
        const body = JSON.stringify({ success: true, data: { ...registered, license_id: lastId } });
        const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
        socket.write(earlier + answer);
        earlier = answer;
      });
    });
    const provider = connectTo(`http://127.0.0.1:${(await listenOn(answersTwice)).port}/api/v1/`);
    // More than there are connections.
    for (let id = 1; id <= 20; id++) {
      expect(await provider.execute(provision, always)).toMatchObject({ providerReference: String(id) });
    }
  });

  test("UNAVAILABLE counts only if the provider's state agrees", async () => {
    const away = json(503, refusal("UNAVAILABLE"));
    const undone = await service(away, { "license.info": data(info) });
    expect((await undone.provider.execute(changeIp, always)).kind).toBe("not_sent");
    const done = await service(away, { "license.info": data({ ...info, ip_address: changeIp.ipAddress }) });
    expect((await done.provider.execute(changeIp, always)).kind).toBe("succeeded");
    const unclear = await service(away);
    expect((await unclear.provider.execute(changeIp, always)).kind).toBe("unknown");
  });

  test("a stored 202 is checked: the provider may know the outcome by now", async () => {
    const stored = json(202, { success: true, data: {} }, { "idempotent-replayed": "true" });
    const open = await service(stored, { "license.info": data({ ...info, operation_id: "1" }) });
    expect((await open.provider.execute(changeIp, always)).kind).toBe("unknown");
    const done = await service(stored, { "license.info": data({ ...info, ip_address: changeIp.ipAddress }) });
    expect((await done.provider.execute(changeIp, always)).kind).toBe("succeeded");
    const undone = await service(stored, { "license.info": data(info) });
    expect((await undone.provider.execute(changeIp, always)).kind).toBe("rejected");
  });

  test("a rejection says whether it is a stored answer", async () => {
    const fresh = await service(json(400, refusal("PROVIDER_REJECTED")));
    expect(await fresh.provider.execute(changeIp, always)).not.toHaveProperty("isReplayed");
    const stored = await service(json(400, refusal("PROVIDER_REJECTED"), { "idempotent-replayed": "true" }));
    expect(await stored.provider.execute(changeIp, always)).toMatchObject({ kind: "rejected", isReplayed: true });
  });

  test("whatever text a rejection has, what is kept of it can be stored, so the operation ends and its money is free", async () => {
    for (const text of ["cut in \0 half", "\ud83d alone", `${"x".repeat(299)}😀😀`, "\0".repeat(400)]) {
      const { provider } = await service(json(400, refusal("REGISTRATION_FAILED", text)));
      const outcome = await provider.execute(provision, always);
      expect(outcome.kind).toBe("rejected");
      expect("message" in outcome && isStorable(outcome.message) && outcome.message.length <= 301).toBe(true);
    }
  });

  test.each(["INSUFFICIENT_BALANCE", "PRODUCT_NOT_FOUND", "CYCLE_NOT_FOUND"])(
    "%s is shown to the operator, not to the customer",
    async (code) => {
      const { provider } = await service(json(400, refusal(code, "The wallet balance is too low.")));
      const guarded = guardProvider(provider, { failuresToOpen: 3, coolDownMs: 50 });
      const outcome = await guarded.execute(provision, always);
      expect(outcome).toMatchObject({ kind: "rejected", message: "The provider does not accept this from us." });
      expect(guarded.health?.().lastFailure?.message).toBe(`${code}: The wallet balance is too low.`);
    },
  );

  test.each(["REGISTRATION_FAILED", "IP_CHANGE_FAILED", "INVALID_STATE", "LICENSE_NOT_FOUND"])(
    "the text of %s may name ids of the provider, which customers are not shown, but the operator",
    async (code) => {
      const { provider } = await service(json(400, refusal(code, "Your license 812 is suspended.")));
      const outcome = await provider.execute(changeIp, always);
      const note = `${code}: Your license 812 is suspended.`;
      expect(outcome).toEqual({ kind: "rejected", message: expect.stringContaining("provider"), note });
      expect("message" in outcome && outcome.message).not.toMatch(/812|address for/);
    },
  );

  test("a purchase's price is what it cost us", async () => {
    const { provider } = await service(data({ ...registered, price: 12.5 }));
    const charged = { price: "12.5", currency: "USD" };
    expect(await provider.execute(provision, always)).toEqual({ kind: "succeeded", providerReference: "12", charged });
    const renewal = { ...changeIp, action: "set_term", cycle: "7", previousExpiresAt: "2027-03-10T12:00:00Z" } as const;
    expect(await provider.execute(renewal, always)).toEqual({ kind: "succeeded", charged });
  });

  test("a change that our account's limit stops shows the operator which limit", async () => {
    const exhausted = refusal("RATE_LIMITED", "Today's 200 free address lookups are used up.");
    const { provider } = await service(json(429, exhausted), { "license.info": data(info) });
    const guarded = guardProvider(provider, { failuresToOpen: 3, coolDownMs: 50 });
    expect((await guarded.execute(changeIp, always)).kind).toBe("not_sent");
    const shown = "RATE_LIMITED: Today's 200 free address lookups are used up.";
    expect(guarded.health?.().lastFailure?.message).toBe(shown);
  });

  const field = { ip_address: "No." };
  test.each([
    ["REGISTRATION_FAILED", { ...field, reason: "address_taken" }, true],
    ["IP_CHANGE_FAILED", { new_ip: "No.", reason: "address_taken" }, true],
    ["REGISTRATION_FAILED", field, false],
    ["REGISTRATION_FAILED", null, false],
    ["PRODUCT_NOT_FOUND", {}, false],
  ])("%s with %o: whether a live license has the address (contract 3.3)", async (code, details, isTaken) => {
    const { provider } = await service(json(400, { ...refusal(code), details }));
    const outcome = await provider.execute(provision, always);
    const message = "The provider does not accept this address for this product.";
    if (isTaken) expect(outcome).toEqual({ kind: "rejected", message, refusesAddress: true });
    else
      expect(outcome).toEqual({
        kind: "rejected",
        message: expect.not.stringContaining("address"),
        [code === "PRODUCT_NOT_FOUND" ? "accountProblem" : "note"]: `${code}: No.`,
      });
  });
});

describe("what is sent", () => {
  const requests: readonly [Partial<ProviderRequest>, string, Record<string, string>][] = [
    [{}, "license.register", { product_id: "3", cycle_id: "7", ip_address: "198.51.100.7", notes: `ref:${REFERENCE}` }],
    [
      { action: "set_term", previousExpiresAt: "2027-03-10T12:00:00Z" },
      "license.renew",
      { license_id: "12", cycle_id: "7" },
    ],
    [{ action: "set_address" }, "license.change_ip", { license_id: "12", new_ip: "198.51.100.7" }],
    [{ action: "set_cores", cores: 4 }, "license.change_core", { license_id: "12", cores: "4" }],
    [{ action: "suspend" }, "license.suspend", { license_id: "12" }],
    [{ action: "unsuspend" }, "license.unsuspend", { license_id: "12" }],
    [{ action: "terminate" }, "license.terminate", { license_id: "12" }],
  ];

  test.each(requests)("%o is %s", async (change, operation, fields) => {
    const { provider, seen } = await service(data(info));
    await provider.execute({ ...provision, providerReference: change.action ? "12" : null, ...change }, always);
    expect(seen).toHaveLength(1);
    const [{ url, headers, body } = seen[0] as Seen] = seen;
    expect(url).toBe(`/api/v1/?endpoint=${operation}`);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual(fields);
    expect(headers).toMatchObject({ "x-api-key": "lk_live_secret", "idempotency-key": "operation:0" });
    expect(headers["x-signature"]).toBeUndefined();
  });

  test("every request is signed if the provider has a secret, each differently", async () => {
    const seen: Seen[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ success: true, data: info }));
    });
    const { provider } = await listenOn(server, "lss_secret");
    await provider.execute(changeIp, always);
    await provider.execute(changeIp, always);
    for (const { method, url, headers, body } of seen) {
      const verdict = verifySignature(
        "lss_secret",
        { method, target: url, body },
        String(headers["x-signature"]),
        Date.now() / 1000,
      );
      expect(verdict.kind).toBe("genuine");
    }
    expect(new Set(seen.map(({ headers }) => headers["x-signature"])).size).toBe(2);
  });

  test("unsupported changes are rejected without a request", async () => {
    const { provider, seen } = await service(data(info));
    for (const change of [
      { cycle: null },
      { product: "web-server" },
      { cores: 2 },
      { action: "set_term", providerReference: "12" },
    ] as const) {
      expect((await provider.execute({ ...provision, ...change }, always)).kind).toBe("rejected");
    }
    expect(seen).toHaveLength(0);
  });

  test("a renewal by a cycle that has no name at the provider buys nothing there", async () => {
    const { provider, seen } = await service(data(info));
    const renewal = { action: "set_term", providerReference: "12", previousExpiresAt: "2027-03-10T12:00:00Z" } as const;
    for (const cycle of [null, "", "monthly", "0"]) {
      expect((await provider.execute({ ...provision, ...renewal, cycle }, always)).kind).toBe("rejected");
    }
    expect(seen).toHaveLength(0);
  });

  test("without the provider's license id, our reference finds it; if not found, nothing is sent", async () => {
    const listed = json(200, {
      licenses: [{ id: "lic_12", type: "t", status: "active", expires: "2027-04-10", server: "s" }],
      next_cursor: null,
    });
    const found = await service(data(info), { licenses: listed });
    expect((await found.provider.execute({ ...changeIp, providerReference: null }, always)).kind).toBe("succeeded");
    expect(found.seen[0]?.url).toBe(`/api/v1/licenses?q=ref%3A${REFERENCE}&limit=20`);
    expect(found.seen[0]?.headers.authorization).toBe("Bearer lk_live_secret");
    const none = await service(data(info), { licenses: json(200, { licenses: [], next_cursor: null }) });
    expect((await none.provider.execute({ ...changeIp, providerReference: null }, always)).kind).toBe("rejected");
    expect(none.seen.every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("terminating", () => {
  const terminate = { ...changeIp, action: "terminate" } as const;

  test.each([
    ["NO_PERMISSION", 403, "NO_PERMISSION: No. The license was suspended instead."],
    ["UNKNOWN_ENDPOINT", 404, undefined],
    ["INVALID_STATE", 409, undefined],
  ])("after %s the license is suspended under a key of its own", async (code, status, accountProblem) => {
    const { provider, seen } = await service(data(info), { "license.terminate": json(status, refusal(code)) });
    expect(await provider.execute(terminate, always)).toEqual({
      kind: "succeeded",
      ...(accountProblem && { accountProblem }),
    });
    expect(seen.map(({ url, body, headers }) => [url, body, headers["idempotency-key"]])).toEqual([
      ["/api/v1/?endpoint=license.terminate", "license_id=12", "operation:0"],
      ["/api/v1/?endpoint=license.suspend", "license_id=12&reason=Terminated+by+the+reseller", "operation:0:suspend"],
    ]);
  });

  test("another rejection suspends nothing", async () => {
    const { provider, seen } = await service(json(400, refusal("PROVIDER_REJECTED")));
    expect((await provider.execute(terminate, always)).kind).toBe("rejected");
    expect(seen).toHaveLength(1);
  });
});

describe("a check before several purchases", () => {
  const quote = (price: number, balance_after: number) =>
    data({ dry_run: true, price, currency: "USD", balance_after });
  const second = { ...provision, idempotencyKey: "operation:1", product: "4" };
  const check = async (behavior: Behavior) => {
    const { provider, seen } = await service(behavior);
    return { outcome: await provider.check?.([provision, second], always), seen };
  };

  test("sends each as a dry run under its own key", async () => {
    const { outcome, seen } = await check(quote(0.1, 0.1));
    expect(outcome).toEqual({ kind: "succeeded" });
    expect(seen.map(({ url, headers }) => [url, headers["idempotency-key"]])).toEqual([
      ["/api/v1/?endpoint=license.register", "operation:0"],
      ["/api/v1/?endpoint=license.register", "operation:1"],
    ]);
    expect(seen.every(({ body }) => body.endsWith("&dry_run=true"))).toBe(true);
  });

  test("rejects them if the balance pays for each alone, but not for all", async () => {
    const { outcome } = await check(quote(10, 5));
    expect(outcome).toMatchObject({
      kind: "rejected",
      accountProblem: expect.stringContaining("INSUFFICIENT_BALANCE"),
    });
  });

  test.each([
    ["a rejection", json(404, refusal("CYCLE_NOT_FOUND")), "rejected"],
    ["an unreachable provider", json(503, refusal("PROVIDER_UNAVAILABLE")), "not_sent"],
    ["no answer", () => {}, "unknown"],
    ["used up address lookups, which hide a taken address", json(429, refusal("RATE_LIMITED")), "not_sent"],
    ["a service without dry runs, which bought and replays its answer", data({ ...info, price: 1 }), "succeeded"],
  ] as const)("ends at %s", async (_, behavior, kind) => {
    const { outcome, seen } = await check(behavior);
    expect(outcome?.kind).toBe(kind);
    expect(seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("a request that must not be sent any more", () => {
  test("is not written to its connection, and that is not a provider fault", async () => {
    const { provider, seen } = await service(data(info));
    const guarded = guardProvider(provider, { failuresToOpen: 1, coolDownMs: 50 });
    expect(await guarded.execute(changeIp, () => false)).toEqual({ kind: "withheld" });
    expect(guarded.health?.().state).toBe("closed");
    expect(seen).toHaveLength(0);
  });

  test("is checked once connected, not before", async () => {
    const { provider, seen } = await service(data(info));
    const asked: number[] = [];
    await provider.execute(changeIp, () => asked.push(seen.length) > 0);
    expect(asked).toEqual([0]);
    expect(seen).toHaveLength(1);
  });
});

describe("a request that left no trace is voided", () => {
  /** Stores the first response per key, as the contract requires. */
  function keepsAnswers(refusalCode: string): Behavior {
    const kept = new Map<string, string>();
    return (request, response, body) => {
      const key = String(request.headers["idempotency-key"]);
      const first = kept.get(key);
      kept.set(key, first ?? body);
      const reused = first !== undefined && first !== body;
      const behavior = reused
        ? json(422, refusal("IDEMPOTENCY_KEY_REUSED"))
        : json(404, refusal(refusalCode), first === undefined ? {} : { "idempotent-replayed": "true" });
      behavior(request, response, body);
    };
  }
  const voidIfUnseen = { voidIfUnseen: true };
  const never = () => false;

  test("by another, harmless request under its key; the real one is rejected if it still arrives", async () => {
    const { provider, seen } = await service(keepsAnswers("LICENSE_NOT_FOUND"), { "license.info": data(info) });
    expect(await provider.lookUp(changeIp, voidIfUnseen)).toEqual({ kind: "not_found", isVoid: true });
    const sent = seen.filter(({ method }) => method === "POST");
    expect(sent.map(({ url, body }) => [url, body])).toEqual(
      Array(2).fill(["/api/v1/?endpoint=license.unsuspend", "license_id=2147483647"]),
    );
    expect((await provider.execute(changeIp, always)).kind).toBe("rejected");
  });

  test("with the suspension that would follow a termination", async () => {
    const { provider, seen } = await service(keepsAnswers("LICENSE_NOT_FOUND"), { "license.info": data(info) });
    const terminate = { ...changeIp, action: "terminate" } as const;
    expect(await provider.lookUp(terminate, voidIfUnseen)).toEqual({ kind: "not_found", isVoid: true });
    const keys = seen.filter(({ method }) => method === "POST").map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(["operation:0", "operation:0", "operation:0:suspend", "operation:0:suspend"]);
  });

  test("unless the provider has received it", async () => {
    const { provider } = await service(keepsAnswers("IP_CHANGE_FAILED"), { "license.info": data(info) });
    await provider.execute(changeIp, always);
    expect(await provider.lookUp(changeIp, voidIfUnseen)).toEqual({ kind: "not_found", isVoid: false });
  });

  test("unless the provider has rejected it: it is sent again for that answer, which is final", async () => {
    const { provider } = await service(keepsAnswers("IP_CHANGE_FAILED"), { "license.info": data(info) });
    await provider.execute(changeIp, always);
    expect(await provider.lookUp(changeIp, { ...voidIfUnseen, maySend: always })).toEqual({
      kind: "rejected",
      message: "The provider rejected the change of address.",
      note: "IP_CHANGE_FAILED: No.",
    });
  });

  test.each([
    ["a new rejection, for the first request may still succeed", json(401, refusal("INVALID_API_KEY")), always],
    ["one still in progress", json(409, refusal("IDEMPOTENCY_IN_PROGRESS")), always],
    ["a replayed 202", json(202, { success: true, data: {} }, { "idempotent-replayed": "true" }), always],
    ["nothing, as another process has claimed the operation", json(400, refusal("IP_CHANGE_FAILED")), never],
  ] as const)("is not ended by %s", async (_, answer, maySend) => {
    const reused = json(422, refusal("IDEMPOTENCY_KEY_REUSED"));
    const { provider, seen } = await service(reused, {
      "license.info": data(info),
      "license.change_ip": answer,
    });
    expect(await provider.lookUp(changeIp, { ...voidIfUnseen, maySend })).toEqual({ kind: "not_found", isVoid: false });
    const sent = seen.filter(({ url, method }) => method === "POST" && url.endsWith("change_ip"));
    expect(sent).toHaveLength(maySend() ? 1 : 0);
  });

  test("unless the provider carries it out right after its state was read", async () => {
    const states = [info, { ...info, ip_address: changeIp.ipAddress }];
    const reused = json(422, refusal("IDEMPOTENCY_KEY_REUSED"));
    const { provider } = await service(reused, {
      "license.info": (...exchange) => data(states.shift())(...exchange),
    });
    expect(await provider.lookUp(changeIp, voidIfUnseen)).toMatchObject({ kind: "succeeded" });
  });

  test.each([
    ["a provider that stores no responses", json(404, refusal("LICENSE_NOT_FOUND")), "not_found"],
    ["one that is still processing the request", json(409, refusal("IDEMPOTENCY_IN_PROGRESS")), "unreachable"],
    ["one that fails", json(500, refusal("SERVER_ERROR")), "unreachable"],
    ["one that does not respond", () => {}, "unreachable"],
  ] as const)("%s voids nothing", async (_, behavior, kind) => {
    const { provider } = await service(behavior, { "license.info": data(info) });
    const answer = await provider.lookUp(changeIp, voidIfUnseen);
    expect(answer).toMatchObject(kind === "not_found" ? { kind, isVoid: false } : { kind });
  });
});

test("a closed provider sends nothing", async () => {
  const { provider, seen } = await service(data(info));
  await provider.close?.();
  expect((await provider.execute(provision, always)).kind).toBe("not_sent");
  expect(seen).toHaveLength(0);
});
