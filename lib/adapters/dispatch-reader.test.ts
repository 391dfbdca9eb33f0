import { afterEach, describe, expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import { comparedFacts } from "#lib/domain/reconciliation.ts";
import type { LicenseProvider, ProviderBookDetail, ProviderBookEntry } from "#lib/ports/license-provider.ts";
import {
  type Behavior,
  changeIp,
  closeServices,
  data,
  info,
  json,
  provision,
  REFERENCE,
  refusal,
  service,
} from "#tests/support/dispatch-service.ts";
import { createDispatchReader } from "./dispatch-reader.ts";
import type { DispatchReply } from "./dispatch-transport.ts";

afterEach(closeServices);

describe("the outcome of a request", () => {
  const lookUp = async (request: ProviderRequest, license: object | null) => {
    const missing = json(404, refusal("LICENSE_NOT_FOUND"));
    const listed = license ? [{ id: "lic_12", type: "t", status: "active", expires: "2027-04-10", server: "s" }] : [];
    const { provider, seen } = await service(license ? data({ ...info, ...license }) : missing, {
      licenses: json(200, { licenses: listed, next_cursor: null }),
    });
    const answer = await provider.lookUp(request);
    expect(seen.every(({ method }) => method === "GET")).toBe(true);
    return answer.kind;
  };
  const as = (change: Partial<ProviderRequest>): ProviderRequest => ({ ...changeIp, ...change });
  const renewal = as({
    action: "set_term",
    previousExpiresAt: "2027-04-10T12:00:00Z",
    expiresAt: "2027-05-10T12:00:00Z",
  });

  test.each([
    ["a registration with our reference", provision, {}, "succeeded"],
    ["one that the provider does not know yet", provision, { status: "pending" }, "unreachable"],
    ["one whose notes merely quote our reference", provision, { notes: `see ref:${REFERENCE}` }, "not_found"],
    ["no registration", provision, null, "not_found"],
    ["an address that exists", changeIp, { ip_address: changeIp.ipAddress }, "succeeded"],
    ["an address that does not exist", changeIp, {}, "not_found"],
    ["an address while a change is open", changeIp, { operation_id: "1" }, "unreachable"],
    ["a terminated license", changeIp, { status: "terminated" }, "rejected"],
    ["a license that does not exist", changeIp, null, "not_found"],
    ["cores", as({ action: "set_cores", cores: 4 }), { cores: 4 }, "succeeded"],
    ["unchanged cores", as({ action: "set_cores", cores: 4 }), {}, "not_found"],
    ["more cores than we could store", as({ action: "set_cores", cores: 4 }), { cores: 2 ** 31 }, "unreachable"],
    ["a suspension", as({ action: "suspend" }), { status: "suspended" }, "succeeded"],
    ["no suspension", as({ action: "suspend" }), {}, "not_found"],
    ["an unsuspended license", as({ action: "unsuspend" }), {}, "succeeded"],
    ["an unsuspended license from an expired one", as({ action: "unsuspend" }), { status: "expired" }, "succeeded"],
    ["an end", as({ action: "terminate" }), { status: "terminated" }, "succeeded"],
    ["an end by suspending", as({ action: "terminate" }), { status: "suspended" }, "succeeded"],
    [
      "no end of a license that was suspended before",
      as({ action: "terminate", wasSuspended: true }),
      { status: "suspended" },
      "not_found",
    ],
    ["no end", as({ action: "terminate" }), {}, "not_found"],
    ["a renewal, seconds later than ours", renewal, { expires_at: "2027-05-10T12:00:03Z" }, "succeeded"],
    ["no renewal, although its end is seconds later than ours", renewal, {}, "not_found"],
  ] as const)("%s", async (_, request, license, kind) => {
    expect(await lookUp(request, license)).toBe(kind);
  });

  test("an unavailable provider, or one that rejects our key, leaves it open", async () => {
    const refused = await service(json(401, refusal("INVALID_API_KEY")));
    expect((await refused.provider.lookUp(changeIp)).kind).toBe("unreachable");
    const silent = await service(() => {});
    expect((await silent.provider.lookUp(provision)).kind).toBe("unreachable");
  });
});

describe("books", () => {
  const product = (product_id: number, type: string, core_metered: boolean) => ({
    product_id,
    name: type,
    type,
    core_metered,
    workers: 0,
    cycles: [],
  });
  const products = data({ products: [product(1, "plain", false), product(2, "metered", true)] });

  async function read(provider: LicenseProvider, known: ReadonlyMap<string, string> = new Map()) {
    const entries: ProviderBookEntry[] = [];
    for await (const page of provider.bookPages(async () => known)) entries.push(...page);
    return entries;
  }

  async function readDetails(provider: LicenseProvider, names: readonly string[]) {
    const details: (ProviderBookDetail | null)[] = [];
    for await (const detail of provider.bookDetails?.(names) ?? []) details.push(detail);
    return details;
  }

  test("10,000 licenses are read in ten pages, one in memory at a time, and references are looked up by page", async () => {
    const total = 10_000;
    const page: Behavior = (request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const start = Number(query.get("cursor") ?? "0");
      const licenses = Array.from({ length: Number(query.get("limit")) }, (_, index) => ({
        id: `lic_${start + index + 1}`,
        type: start + index === 0 ? "metered" : "plain",
        status: start + index === 1 ? "suspended" : "active",
        expires: "2027-04-10",
        server: start + index === 2 ? "web1.example.com" : "198.51.100.9",
      }));
      const next = start + licenses.length;
      json(200, { licenses, next_cursor: next < total ? String(next) : null })(request, response, "");
    };
    const { provider, seen } = await service(data(info), { licenses: page, products });
    const asked: number[] = [];
    const pages: number[] = [];
    const entries: ProviderBookEntry[] = [];
    const findKnown = async (names: readonly string[]) => {
      asked.push(names.length);
      return new Map(names.filter((name) => name !== "10000").map((name) => [name, `LIC-${name}`]));
    };
    for await (const entriesOfPage of provider.bookPages(findKnown)) {
      pages.push(entriesOfPage.length);
      entries.push(...entriesOfPage);
    }
    expect([pages, asked]).toEqual([Array(10).fill(1_000), Array(10).fill(1_000)]);
    expect(seen.filter(({ url }) => url.includes("/licenses"))).toHaveLength(10);
    expect(seen.filter(({ url }) => url.includes("license.info"))).toEqual([]);
    const term = { expiresOn: "2027-04-10" };
    expect(entries[0]?.facts).toEqual({
      product: "2",
      address: "198.51.100.9",
      cores: undefined,
      state: "active",
      term,
    });
    expect(entries[1]).toEqual({
      reference: "LIC-2",
      providerReference: "2",
      facts: { product: "1", address: "198.51.100.9", cores: null, state: "suspended", term },
    });
    expect(entries[2]?.facts.address).toBeUndefined();
    expect(entries[total - 1]?.reference).toBe("provider:10000");
  });

  test.each([
    [
      "a page that it has listed",
      [{ id: "lic_1", type: "plain", status: "active", expires: "2027-04-10", server: "web" }],
    ],
    ["empty pages", []],
  ])("a list that repeats %s is an error, not read forever", async (_, licenses) => {
    const { provider, seen } = await service(data(info), {
      licenses: json(200, { licenses, next_cursor: "MQ" }),
      products,
    });
    await expect(read(provider)).rejects.toMatchObject({ code: "provider_unavailable" });
    expect(seen.length).toBeLessThan(5);
  });

  test("a list that goes on without repeating itself is an error, not read forever", async () => {
    let page = 0;
    const send = async (): Promise<DispatchReply> => {
      const id = `lic_${++page}`;
      if (page > 20_000) throw new Error("read forever");
      const license = { id, type: "plain", status: "active", expires: "2027-04-10", server: "web" };
      return { kind: "answered", status: 200, body: { licenses: [license], next_cursor: id }, replayed: false };
    };
    const reader = createDispatchReader({ send, async close() {} }, 1_000);
    const readAll = async () => {
      for await (const _ of reader.listLicenses());
    };
    await expect(readAll()).rejects.toMatchObject({ code: "provider_unavailable" });
  });

  test("an empty last page ends the list", async () => {
    const license = { id: "lic_1", type: "plain", status: "active", expires: "2027-04-10", server: "web" };
    const pages: Behavior = (request, response, body) => {
      const isFirst = !new URL(request.url ?? "", "http://x").searchParams.has("cursor");
      const page = isFirst ? { licenses: [license], next_cursor: "MQ" } : { licenses: [], next_cursor: null };
      json(200, page)(request, response, body);
    };
    const { provider } = await service(data(info), { licenses: pages, products });
    expect((await read(provider)).map(({ reference }) => reference)).toEqual(["provider:1"]);
  });

  test("a license's record reports our reference and every compared fact except the product", async () => {
    const { provider } = await service(data({ ...info, cores: 4, ip_address: "198.51.100.3", status: "expired" }));
    const [detail] = await readDetails(provider, ["12"]);
    expect(detail).toEqual({
      providerReference: "12",
      reference: REFERENCE,
      facts: { address: "198.51.100.3", cores: 4, state: "active", term: { expiresAt: "2027-04-10T12:00:03Z" } },
    });
    expect(["product", ...Object.keys(detail?.facts ?? {})].toSorted()).toEqual(comparedFacts.toSorted());
  });

  test("a deleted record is skipped, and reading ends before the first unreadable one", async () => {
    let asked = 0;
    const { provider } = await service((request, response, body) => {
      const id = Number(new URL(request.url ?? "", "http://x").searchParams.get("license_id"));
      asked += 1;
      if (id === 2) json(404, refusal("LICENSE_NOT_FOUND"))(request, response, body);
      else if (id === 6) json(429, refusal("RATE_LIMITED"))(request, response, body);
      else data({ ...info, license_id: id })(request, response, body);
    });
    const names = Array.from({ length: 20 }, (_, index) => String(index + 1));
    const details = await readDetails(provider, names);
    expect(details.map((detail) => detail?.providerReference ?? null)).toEqual(["1", null, "3", "4", "5"]);
    expect(asked).toBeLessThan(20);
  });

  test("facts missing in the list are marked, and an unreadable list is an error", async () => {
    const licenses = [{ id: "lic_5", type: "gone", status: "expired", expires: "2027-04-10", server: "web" }];
    const { provider } = await service(json(429, refusal("RATE_LIMITED")), {
      licenses: json(200, { licenses, next_cursor: null }),
      products: data({ products: [] }),
    });
    expect(await read(provider)).toEqual([
      {
        reference: "provider:5",
        providerReference: "5",
        facts: {
          product: undefined,
          address: undefined,
          cores: undefined,
          state: "active",
          term: { expiresOn: "2027-04-10" },
        },
      },
    ]);
    const away = await service(() => {});
    await expect(read(away.provider)).rejects.toMatchObject({ code: "provider_unavailable" });
  });
});
