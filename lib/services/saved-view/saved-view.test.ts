import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { ResellerRole } from "#lib/domain/roles.ts";
import { VIEWS_MAX } from "#lib/domain/saved-view.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeView } from "./change.ts";
import { deleteView } from "./delete.ts";
import { listSavedViews } from "./list.ts";
import { saveView } from "./save.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

let users = 0;
async function newUser(resellerId: ResellerId | null): Promise<UserId> {
  users += 1;
  const data = { email: `${users}@views.example`, name: `User ${users}`, passwordHash: "", role: "owner", resellerId };
  return (await world.db.prisma.user.create({ data: { ...data, role: "owner" } })).id as UserId;
}

async function newPerson(resellerId: ResellerId, role: ResellerRole): Promise<ServiceContext> {
  return world.context({ kind: "reseller_user", userId: await newUser(resellerId), resellerId, role });
}

let reseller: ResellerId;
let viewer: ServiceContext;
let owner: ServiceContext;
let colleague: ServiceContext;
let stranger: ServiceContext;
beforeEach(async () => {
  reseller = (await world.reseller({ funds: "0" })).id;
  const other = (await world.reseller({ funds: "0" })).id;
  viewer = await newPerson(reseller, "viewer");
  owner = await newPerson(reseller, "owner");
  colleague = await newPerson(reseller, "manager");
  stranger = await newPerson(other, "owner");
});

const overdue = { list: "licenses", name: "Overdue", query: "?status=expired", shared: false } as const;
const namesOf = async (ctx: ServiceContext) =>
  (await listSavedViews(ctx, { list: "licenses" })).map(({ name, sharedBy }) => (sharedBy ? `${name} (shared)` : name));
const refusal = (asked: Promise<unknown>) => asked.then(() => null).catch(({ code, details }) => ({ code, details }));

test("a view is its user's own until it is shared, and then its reseller's", async () => {
  const { id } = await saveView(viewer, overdue);
  await saveView(viewer, { ...overdue, list: "servers" });
  expect(await namesOf(viewer)).toEqual(["Overdue"]);
  for (const ctx of [owner, colleague, stranger]) expect(await namesOf(ctx)).toEqual([]);
  await changeView(viewer, { id, name: "To renew", shared: true });
  expect(await namesOf(colleague)).toEqual(["To renew (shared)"]);
  expect(await namesOf(stranger)).toEqual([]);
});

test("what others share is changed by owners alone, and what they keep for themselves by nobody else", async () => {
  const { id } = await saveView(viewer, { ...overdue, shared: true });
  const { id: own } = await saveView(viewer, { ...overdue, name: "Mine" });
  const change = { id, name: "Other", shared: true };
  for (const ctx of [colleague, stranger]) {
    expect(await refusal(changeView(ctx, change))).toMatchObject({ code: "not_found" });
    expect(await refusal(deleteView(ctx, { id }))).toMatchObject({ code: "not_found" });
  }
  expect((await listSavedViews(colleague, { list: "licenses" }))[0]).toMatchObject({ changeable: false });
  expect((await listSavedViews(owner, { list: "licenses" }))[0]).toMatchObject({ changeable: true });
  await changeView(owner, change);
  expect(await refusal(deleteView(owner, { id: own }))).toMatchObject({ code: "not_found" });
  await deleteView(owner, { id });
  expect(await namesOf(viewer)).toEqual(["Mine"]);
});

test("admins have views of their own, which no reseller sees", async () => {
  const admin = async (role: "owner" | "support") =>
    world.context({ kind: "admin", userId: await newUser(null), resellerId: null, role });
  const [first, second] = [await admin("support"), await admin("owner")];
  await saveView(first, { ...overdue, name: "Of all", shared: true });
  expect(await namesOf(second)).toEqual(["Of all (shared)"]);
  expect(await namesOf(owner)).toEqual([]);
  expect(await refusal(saveView(owner, { ...overdue, list: "resellers" }))).toMatchObject({
    code: "permission_denied",
  });
});

test("a role sees the views of those lists that it sees", async () => {
  const support = await newPerson(reseller, "support");
  await saveView(owner, { ...overdue, list: "audit", shared: true });
  expect(await refusal(listSavedViews(support, { list: "audit" }))).toMatchObject({ code: "permission_denied" });
  expect(await listSavedViews(viewer, { list: "audit" })).toHaveLength(1);
});

test("a name is its user's only one on a list, in any case, and has 1 to 60 characters", async () => {
  const { id } = await saveView(viewer, overdue);
  await saveView(colleague, overdue);
  const { id: other } = await saveView(viewer, { ...overdue, name: "  Due \n soon " });
  expect(await namesOf(viewer)).toEqual(["Due soon", "Overdue"]);
  for (const name of ["OVERDUE", "", " ", "x".repeat(61), "a\0"]) {
    const problem = { code: "parameters_invalid", details: { name: expect.any(String) } };
    expect(await refusal(saveView(viewer, { ...overdue, name })), name).toMatchObject(problem);
    expect(await refusal(changeView(viewer, { id: other, name, shared: false })), name).toMatchObject(problem);
  }
  await changeView(viewer, { id, name: "overdue", shared: false });
  await changeView(viewer, { id: other, name: "x".repeat(60), shared: false });
  await saveView(viewer, { ...overdue, name: "Long", query: `?${"x".repeat(1_999)}` });
});

test.each(["", "https://elsewhere.example", "//elsewhere.example", "/wallet", `?${"x".repeat(2_000)}`])(
  "%j is no view of a list",
  async (query) => {
    expect(await refusal(saveView(viewer, { ...overdue, query }))).toMatchObject({ code: "parameters_invalid" });
  },
);

test("a user has at most 50 views, however many are saved at once", async () => {
  const saved = Array.from({ length: VIEWS_MAX + 5 }, (_, at) => saveView(viewer, { ...overdue, name: `View ${at}` }));
  const refusals = (await Promise.all(saved.map(refusal))).filter((one) => one !== null);
  expect(refusals).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ code: "conflict" })));
  expect(await namesOf(viewer)).toHaveLength(VIEWS_MAX);
  await saveView(colleague, overdue);
});

test("views of another reseller, as of a sandbox, do not use up the 50", async () => {
  const sandbox = (await world.reseller({ funds: "0" })).id;
  const { userId } = viewer.actor as { readonly userId: UserId };
  const inTestMode = world.context({ kind: "reseller_user", userId, resellerId: sandbox, role: "viewer" });
  for (let at = 0; at < VIEWS_MAX; at++) await saveView(inTestMode, { ...overdue, name: `View ${at}` });
  await saveView(viewer, overdue);
});
