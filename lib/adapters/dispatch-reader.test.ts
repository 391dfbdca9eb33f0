import { afterEach, describe, expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
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

afterEach(closeServices);

describe("what became of a request", () => {
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
    ["one whose notes only quote our reference", provision, { notes: `see ref:${REFERENCE}` }, "not_found"],
    ["no registration", provision, null, "not_found"],
    ["an address that is there", changeIp, { ip_address: changeIp.ipAddress }, "succeeded"],
    ["an address that is not", changeIp, {}, "not_found"],
    ["an address while a change is open", changeIp, { operation_id: "1" }, "unreachable"],
    ["a license that was ended", changeIp, { status: "terminated" }, "rejected"],
    ["a license that is not there", changeIp, null, "not_found"],
    ["cores", as({ action: "set_cores", cores: 4 }), { cores: 4 }, "succeeded"],
    ["cores as before", as({ action: "set_cores", cores: 4 }), {}, "not_found"],
    ["a suspension", as({ action: "suspend" }), { status: "suspended" }, "succeeded"],
    ["no suspension", as({ action: "suspend" }), {}, "not_found"],
    ["a suspension lifted", as({ action: "unsuspend" }), {}, "succeeded"],
    ["a suspension lifted from an expired one", as({ action: "unsuspend" }), { status: "expired" }, "succeeded"],
    ["an end", as({ action: "terminate" }), { status: "suspended" }, "succeeded"],
    ["a renewal, seconds later than ours", renewal, { expires_at: "2027-05-10T12:00:03Z" }, "succeeded"],
    ["no renewal, although its end is seconds later than ours", renewal, {}, "not_found"],
  ] as const)("%s", async (_, request, license, kind) => {
    expect(await lookUp(request, license)).toBe(kind);
  });

  test("a provider that is away, or refuses our key, leaves it open", async () => {
    const refused = await service(json(401, refusal("INVALID_API_KEY")));
    expect((await refused.provider.lookUp(changeIp)).kind).toBe("unreachable");
    const silent = await service(() => {});
    expect((await silent.provider.lookUp(provision)).kind).toBe("unreachable");
  });
});

describe("books", () => {
  test("10,000 licenses are read in ten pages, with single questions only for what those do not tell", async () => {
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
    const product = (product_id: number, type: string, core_metered: boolean) => ({
      product_id,
      name: type,
      type,
      core_metered,
      workers: 0,
      cycles: [],
    });
    const { provider, seen } = await service(data({ ...info, license_id: 1, cores: 4, ip_address: "198.51.100.3" }), {
      licenses: page,
      products: data({ products: [product(1, "plain", false), product(2, "metered", true)] }),
    });
    const known = new Map(Array.from({ length: total - 1 }, (_, index) => [String(index + 1), `LIC-${index + 1}`]));
    const books = await provider.books(known);
    expect(books).toHaveLength(total);
    expect(seen.filter(({ url }) => url.includes("/licenses"))).toHaveLength(10);
    expect(seen.filter(({ url }) => url.includes("license.info"))).toHaveLength(3);
    expect(books[0]).toMatchObject({ reference: "LIC-1", product: "2", cores: 4, state: "active" });
    expect(books[1]).toEqual({
      reference: "LIC-2",
      providerReference: "2",
      product: "1",
      ipAddress: "198.51.100.9",
      cores: null,
      state: "suspended",
      expiresOn: "2027-04-10",
    });
    expect(books[2]).toMatchObject({ reference: "LIC-3", ipAddress: "198.51.100.3" });
    expect(books[total - 1]).toMatchObject({ reference: REFERENCE });
  });

  test("what could not be asked is marked, and a list that cannot be read is an error", async () => {
    const licenses = [{ id: "lic_5", type: "gone", status: "expired", expires: "2027-04-10", server: "web" }];
    const { provider } = await service(json(429, refusal("RATE_LIMITED")), {
      licenses: json(200, { licenses, next_cursor: null }),
      products: data({ products: [] }),
    });
    expect(await provider.books()).toEqual([
      {
        reference: "provider:5",
        providerReference: "5",
        product: "",
        ipAddress: "",
        cores: null,
        state: "active",
        expiresOn: "2027-04-10",
        untold: ["product", "ipAddress", "cores"],
      },
    ]);
    const away = await service(() => {});
    await expect(away.provider.books()).rejects.toMatchObject({ code: "provider_unavailable" });
  });
});
