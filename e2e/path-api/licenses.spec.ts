import { randomBytes } from "node:crypto";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { getRuntime } from "#lib/runtime.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, setLicense } from "../support/world.ts";

/** Rows as a registration leaves them, many at once. Returns their ids in order of creation. */
async function insertLicenses(reseller: Reseller, count: number, months = 1): Promise<string[]> {
  const { product_id: productId, cycle_id: cycleId } = await reseller.newProduct({ months });
  const now = new Date();
  const rows = await getRuntime().db.prisma.license.createManyAndReturn({
    data: Array.from({ length: count }, (_, index) => ({
      key: createLicenseKey((bytes) => randomBytes(bytes)),
      resellerId: reseller.resellerId,
      productId,
      cycleId,
      ipAddress: `11.${(reseller.resellerId >> 4) & 255}.${((reseller.resellerId & 15) << 4) | (index >> 8)}.${index & 255}`,
      issuedAt: now,
      anchoredAt: now,
      expiresAt: new Date(now.getTime() + (index + 1) * 3_600_000),
      provisionedAt: now,
    })),
    select: { id: true },
  });
  return rows.map(({ id }) => `lic_${id}`);
}

const ids = (licenses: readonly { readonly id: string }[]) => licenses.map(({ id }) => id);

test("GET /licenses lists with the documented fields; server is the address while no host is known (contract 2.4)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const first = await reseller.newLicense({ ip });
  const second = await reseller.newLicense();
  await reseller.path.post("/license/update", { license_key: second.license_key, hostname: "b.example" });
  const { status, body } = await reseller.path.get("/licenses");
  expect(status).toBe(200);
  expect(body).toEqual({
    licenses: [
      [first, ip],
      [second, "b.example"],
    ].map(([license, server]) => {
      const { license_id, type, expires_at } = license as typeof first;
      return { id: `lic_${license_id}`, type, status: "active", expires: expires_at.slice(0, 10), server };
    }),
  });
});

test("an account without licenses has an empty list (contract 2.4)", async ({ reseller }) => {
  expect((await reseller.path.get("/licenses")).text).toBe('{"licenses":[]}');
  expect((await reseller.path.get("/licenses", { limit: 5 })).body).toEqual({ licenses: [], next_cursor: null });
});

test("without parameters: all, oldest first, over several pages of the database, streamed (contract 2.4)", async ({
  reseller,
}) => {
  const inserted = await insertLicenses(reseller, 1_200);
  const answer = await reseller.path.get("/licenses");
  expect(answer.headers["content-length"]).toBeUndefined();
  expect(ids(answer.body.licenses)).toEqual(inserted);
  expect(answer.body).not.toHaveProperty("next_cursor");
});

test("limit with cursor walks every license once, in order, to a null cursor (contract 2.4)", async ({ reseller }) => {
  const inserted = await insertLicenses(reseller, 25);
  const walked: string[] = [];
  let cursor: string | null = "";
  let pages = 0;
  while (cursor !== null) {
    const page = { limit: 10, ...(cursor === "" ? {} : { cursor }) };
    const { body } = await reseller.path.get("/licenses", page);
    expect(body.licenses.length).toBeLessThanOrEqual(10);
    walked.push(...ids(body.licenses));
    cursor = body.next_cursor;
    pages++;
  }
  expect(walked).toEqual(inserted);
  expect(pages).toBe(3);
  const behind = Buffer.from(inserted[19]?.slice("lic_".length) ?? "").toString("base64url");
  const rest = (await reseller.path.get("/licenses", { cursor: behind })).body;
  expect([ids(rest.licenses), rest.next_cursor], "a cursor alone goes on from there").toEqual([
    inserted.slice(20),
    null,
  ]);
  const exact = await reseller.path.get("/licenses", { limit: 25 });
  expect([exact.body.licenses.length, exact.body.next_cursor]).toEqual([25, null]);
});

test("a license registered while somebody walks is met at the end, and none twice (contract 2.4)", async ({
  reseller,
}) => {
  await insertLicenses(reseller, 4);
  const first = (await reseller.path.get("/licenses", { limit: 3 })).body;
  const { license_id } = await reseller.newLicense();
  const second = (await reseller.path.get("/licenses", { limit: 3, cursor: first.next_cursor ?? "" })).body;
  expect(ids(second.licenses).at(-1)).toBe(`lic_${license_id}`);
  expect(new Set([...ids(first.licenses), ...ids(second.licenses)]).size).toBe(5);
});

test("status, type, ip_address, q and expires_within filter, alone and together, with and without limit (contract 2.4)", async ({
  reseller,
}) => {
  const ip = reseller.newAddress();
  const a = await reseller.newLicense({ ip, notes: "Rack 7 100%_sure" });
  const b = await reseller.newLicense({ ip, product: { months: 12 } });
  const c = await reseller.newLicense({ notes: "rack 8" });
  const suspended = await reseller.newLicense();
  await reseller.dispatch.post("license.suspend", { license_id: suspended.license_id });
  const expired = await reseller.newLicense();
  await setLicense(expired.license_id, { expiredDays: 1 });
  const terminated = await reseller.newLicense();
  await setLicense(terminated.license_id, "terminated");
  const pending = await reseller.newLicense({ ip: "192.0.2.40" });
  await reseller.path.post("/license/update", { license_key: c.license_key, hostname: "shop.example" });

  const cases = [
    [{ status: "active" }, [a, b, c]],
    [{ status: "suspended" }, [suspended]],
    [{ status: "expired" }, [expired]],
    [{ status: "terminated" }, [terminated]],
    [{ status: "pending" }, [pending]],
    [{ type: b.type }, [b]],
    [{ type: "no_such_type" }, []],
    [{ ip_address: ip }, [a, b]],
    [{ ip_address: ip, type: a.type }, [a]],
    [{ ip_address: "192.0.2.40", status: "active" }, []],
    [{ q: "RACK" }, [a, c]],
    [{ q: "shop.EX" }, [c]],
    [{ q: b.license_key.slice(4, 15).toLowerCase() }, [b]],
    [{ q: "100%_s" }, [a]],
    [{ q: "1%s" }, []],
    [{ expires_within: 32, status: "active" }, [a, c]],
    [{ expires_within: 400, ip_address: ip }, [a, b]],
  ] as const;
  for (const [filter, expected] of cases) {
    const wanted = expected.map(({ license_id }) => `lic_${license_id}`);
    expect(ids((await reseller.path.get("/licenses", filter)).body.licenses), JSON.stringify(filter)).toEqual(wanted);
    const paged = (await reseller.path.get("/licenses", { ...filter, limit: 100 })).body;
    expect(ids(paged.licenses), JSON.stringify(filter)).toEqual(wanted);
  }
});

test("wrong list parameters are INVALID_REQUEST and named (contract 2.4, 1.8)", async ({ reseller }) => {
  for (const query of [
    { limit: 0 },
    { limit: 1001 },
    { limit: "1e2" },
    { limit: "+5" },
    { limit: "05" },
    { cursor: "!!" },
    { cursor: "AAAA" },
    { cursor: Buffer.from("-1").toString("base64url") },
    { status: "Active" },
    { ip_address: "::1" },
    { expires_within: 0 },
    { expires_within: "1.5" },
    { expires_within: 36_501 },
    { expires_within: 2_147_483_647 },
    { q: "x".repeat(1001) },
  ]) {
    const answer = await reseller.path.get("/licenses", query);
    expect(`${JSON.stringify(query).slice(0, 40)} ${verdictOf(answer)}`).toContain("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(Object.keys(query));
  }
});

test("nobody sees another reseller's licenses, by no filter and no cursor (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const other = await newReseller();
  const ip = other.newAddress();
  const foreign = await other.newLicense({ ip, notes: "secret rack" });
  for (const query of [
    {},
    { limit: 10 },
    { q: "secret" },
    { ip_address: ip },
    { type: foreign.type },
    { limit: 10, cursor: Buffer.from(String(foreign.license_id - 1)).toString("base64url") },
  ]) {
    expect((await reseller.path.get("/licenses", query)).body.licenses).toEqual([]);
  }
});
