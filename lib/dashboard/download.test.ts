import { beforeEach, expect, test, vi } from "vitest";
import { AccessEndedError } from "#lib/domain/access-ended.ts";
import { findSession, type SignedInUser } from "#lib/services/user/sign-in.ts";
import { download } from "./download.ts";

vi.mock("next-auth", () => ({ getServerSession: async () => ({ sessionId: "s" }) }));
vi.mock("next/headers", () => ({ headers: async () => new Headers() }));
vi.mock("next/navigation", () => ({}));
vi.mock("./auth-options.ts", () => ({ authOptions: {} }));
vi.mock("#lib/runtime.ts", () => ({ getRuntime: () => ({ db: {}, adminsNeedFactor: false }) }));
vi.mock("#lib/services/user/sign-in.ts", () => ({ findSession: vi.fn() }));

const owner = { kind: "reseller", role: "owner" } as SignedInUser;
const become = (user: SignedInUser | null) => vi.mocked(findSession).mockResolvedValue(user);
beforeEach(() => {
  become(owner);
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

async function* endless(): AsyncGenerator<string> {
  for (;;) yield "a piece\n";
}

/** How many pieces come after the change. */
async function countPiecesAfter(change: SignedInUser | null): Promise<number> {
  const { body } = await download("licenses.csv", "text/csv", endless());
  const reader = body?.getReader();
  for (let read = 0; read < 5; read++) expect((await reader?.read())?.done).toBe(false);
  become(change);
  for (let count = 0; count < 100; count++) {
    vi.advanceTimersByTime(1_000);
    const piece = await reader?.read().catch((error: unknown) => error);
    if (piece instanceof AccessEndedError) return count;
  }
  return Number.POSITIVE_INFINITY;
}

test.each<[string, SignedInUser | null]>([
  ["its session ends", null],
  ["its user gets another role", { ...owner, role: "viewer" } as SignedInUser],
  ["an admin stops acting as the reseller", { kind: "admin", role: "owner" } as SignedInUser],
])("a download is cut off once %s", async (_, change) => {
  // What was read before is sent.
  expect(await countPiecesAfter(change)).toBeLessThanOrEqual(2);
});

test("a short download is sent whole, though its session ends meanwhile", async () => {
  async function* short(): AsyncGenerator<string> {
    yield* ["a template", " of", " two lines"];
  }
  const answer = await download("template.csv", "text/csv", short());
  become(null);
  expect(await answer.text()).toBe("a template of two lines");
});

test("a download goes on with its session", async () => {
  expect(await countPiecesAfter(owner)).toBe(Number.POSITIVE_INFINITY);
});
