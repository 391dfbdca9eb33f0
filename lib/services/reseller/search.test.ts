import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorld, type World } from "#tests/support/world.ts";
import { createReseller } from "./create.ts";
import { searchResellers } from "./search.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  for (const name of ["Alpha", "alphabet", "Beta", "100%", "Gamma"]) {
    const email = `${name.length}@${name === "Gamma" ? "alpha" : "other"}.example`;
    await createReseller(world.operator, { name, email, currency: "USD" });
  }
});
afterAll(() => world.close());

const names = async (text: string | null, before: number | null = null, limit = 50) => {
  const page = await searchResellers(world.operator, { text, before, limit });
  return { names: page.resellers.map(({ name }) => name), nextBefore: page.nextBefore };
};

test("part of a name or email address finds resellers, ignoring case, newest first", async () => {
  expect(await names("ALPHA")).toEqual({ names: ["Gamma", "alphabet", "Alpha"], nextBefore: null });
});

test("wildcards are taken literally", async () => {
  expect((await names("0%")).names).toEqual(["100%"]);
  expect((await names("%")).names).toEqual(["100%"]);
});

test("pages follow each other without a gap", async () => {
  const first = await names("alpha", null, 2);
  expect(first.names).toEqual(["Gamma", "alphabet"]);
  expect(await names("alpha", first.nextBefore, 2)).toEqual({ names: ["Alpha"], nextBefore: null });
});
