import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PEER_HEADER } from "#lib/domain/source-address.ts";
import { findSession, type SignedInUser } from "#lib/services/user/sign-in.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { findUser, requireAdminUser, requireResellerUser, requireUserWith } from "./session.ts";

const takePageTurn = vi.fn(async () => false);

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

vi.mock("next-auth", () => ({ getServerSession: async () => ({ sessionId: "s" }) }));
vi.mock("next/headers", () => ({ headers: async () => new Headers({ [PEER_HEADER]: "2001:db8:1:2:3:4:5:6" }) }));
vi.mock("next/navigation", () => ({
  forbidden: () => {
    throw new Error("forbidden");
  },
}));
vi.mock("./auth-options.ts", () => ({ authOptions: {} }));
vi.mock("#lib/services/user/sign-in.ts", () => ({ findSession: vi.fn(), noteActivity: async () => {} }));
vi.mock("#lib/runtime.ts", () => ({
  getRuntime: () => ({
    db: world.db,
    takePageTurn,
    trustedProxies: [],
    contextFor: (actor: Parameters<World["context"]>[0]) => world.context(actor),
  }),
}));

/** Signs in a new reseller's user, or an admin who acts as it, with the refusals that the audit log has of them. */
async function signIn(userId: number, change: Partial<SignedInUser> = {}) {
  const { id: resellerId } = await world.reseller();
  const own = { kind: "reseller", role: "support", userId, resellerId, actingAs: null, liveResellerId: null } as const;
  vi.mocked(findSession).mockResolvedValue({ ...own, ...change } as unknown as SignedInUser);
  return async () => {
    const where = { resellerId, action: "access.deny" };
    const entries = await world.db.prisma.auditEntry.findMany({ where, orderBy: { id: "asc" } });
    return entries.map(({ actor, subject }) => `${actor} ${subject}`);
  };
}

test("a page or download that a role refuses is an entry, once an hour for each person and permission", async () => {
  const refusals = await signIn(91);
  await requireUserWith("licenses:read");
  const refused = [
    () => requireUserWith("wallet:read"),
    () => requireResellerUser("wallet:read"),
    () => requireResellerUser("audit:read"),
    () => requireAdminUser("admin:read"),
  ];
  for (const page of refused) await expect(page()).rejects.toThrow("forbidden");
  expect(await refusals()).toEqual(
    ["wallet:read", "audit:read", "admin:read"].map((name) => `user:91 permission:${name}`),
  );
});

test("a page of administrators that is refused to one who acts as a reseller is no entry in the reseller's log", async () => {
  const refusals = await signIn(92, { role: "owner", actingAs: { name: "Acme", until: world.now() } });
  await expect(requireAdminUser("admin:read")).rejects.toThrow("forbidden");
  expect(await refusals()).toEqual([]);
});

test("each request of a reseller's user has a turn of the reseller; admins need none", async () => {
  await signIn(97);
  const { resellerId } = await requireUserWith("licenses:read");
  expect(takePageTurn).toHaveBeenLastCalledWith(resellerId);
  takePageTurn.mockClear();
  await signIn(98, { kind: "admin", role: "owner", resellerId: null });
  await requireAdminUser("admin:read");
  expect(takePageTurn).not.toHaveBeenCalled();
});

test("a session that ends while its request waits for a turn has ended, and so has a role", async () => {
  const waitUntil = (end: () => unknown) =>
    takePageTurn.mockImplementationOnce(async () => {
      await end();
      return true;
    });
  await signIn(99);
  waitUntil(() => signIn(99, { role: "viewer" }));
  expect(await findUser()).toMatchObject({ role: "viewer" });
  waitUntil(() => vi.mocked(findSession).mockResolvedValue(null));
  expect(await findUser()).toBeNull();
});

test("each request without a session has a turn of its source", async () => {
  vi.mocked(findSession).mockResolvedValue(null);
  expect(await findUser()).toBeNull();
  expect(takePageTurn).toHaveBeenLastCalledWith("2001:db8:1:2::/64");
});

test("every page and every answer of next-auth to a visitor takes a turn, itself or through a layout", () => {
  const takesTurn = (folder: string) =>
    ["page.tsx", "layout.tsx"].some((file) => {
      const path = join(folder, file);
      return existsSync(path) && /\b(takeVisitorTurn|findUser|require\w*User)\(/.test(readFileSync(path, "utf8"));
    });
  const isCovered = (folder: string): boolean => takesTurn(folder) || (folder !== "app" && isCovered(dirname(folder)));
  const pages = readdirSync("app", { recursive: true, encoding: "utf8" }).filter(
    (file) => basename(file) === "page.tsx",
  );
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter((page) => !isCovered(dirname(join("app", page))))).toEqual([]);
  expect(readFileSync("app/api/auth/handle-auth.ts", "utf8")).toContain("await takeVisitorTurn()");
});
