import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Turns } from "#lib/domain/turns.ts";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { newProtection } from "#tests/support/protection.ts";
import { closeGracefully, createHttpServer, listen } from "./http-server.ts";
import { type PageTurns, takePageTurn } from "./page-request.ts";

let server: Server | undefined;
afterEach(async () => {
  if (server) await closeGracefully(server, 0);
});

let resellers = 0;

/** A server with a page for each reseller that takes `pageMs`, and how many are rendered at a time. */
async function serve(pageMs: number, pages?: PageTurns) {
  const state = { underWay: 0, most: 0, rendered: [] as string[], waited: [] as boolean[] };
  server = createHttpServer(async (request, response) => {
    const name = (request.url ?? "").slice(1);
    const owner = /^\d+$/.test(name) ? Number(name) : name;
    try {
      // As from the layout and from the page.
      const [waited] = await Promise.all([takePageTurn(owner, pages), takePageTurn(owner, pages)]);
      state.waited.push(waited);
    } catch {
      response.writeHead(500).end("busy");
      return;
    }
    state.most = Math.max(state.most, ++state.underWay);
    await sleep(pageMs);
    state.underWay--;
    state.rendered.push(request.url ?? "");
    response.end("page");
  }, newProtection());
  const port = await findFreePort();
  await listen(server, "127.0.0.1", port);
  const load = (owner: number | string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/${owner}`, signal ? { signal } : {}).then(async (answer) => {
      await answer.text();
      return answer.status;
    });
  return { state, load };
}

test("a reseller's pages are rendered eight at a time, all of them, and another's wait for none of them", async () => {
  const { state, load } = await serve(50);
  const [greedy, other] = [++resellers, ++resellers];
  const pages = Array.from({ length: 60 }, () => load(greedy));
  expect(await load(other)).toBe(200);
  expect(state.rendered.filter((url) => url === `/${greedy}`).length).toBeLessThan(30);
  expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
  expect(state.most).toBeLessThanOrEqual(8 + 1);
});

test("a page learns whether it had to wait for its turn", async () => {
  const { state, load } = await serve(50);
  const owner = ++resellers;
  await Promise.all(Array.from({ length: 12 }, () => load(owner)));
  expect(state.waited).toEqual([...Array(8).fill(false), ...Array(4).fill(true)]);
});

test("visitors' pages are rendered two at a time for each source, and no other source waits for them", async () => {
  const { state, load } = await serve(50);
  const pages = Array.from({ length: 20 }, () => load("203.0.113.7"));
  expect(await load("203.0.113.8")).toBe(200);
  expect(state.rendered.length).toBeLessThan(10);
  expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
  expect(state.most).toBeLessThanOrEqual(2 + 1);
});

test("a page whose client is gone before its turn is rendered in turn, and its reseller's next one soon after", async () => {
  const { state, load } = await serve(200);
  const owner = ++resellers;
  const first = Array.from({ length: 8 }, () => load(owner));
  await sleep(50);
  const gone = new AbortController();
  const left = Array.from({ length: 20 }, () => load(owner, gone.signal).catch(() => "gone"));
  await sleep(50);
  gone.abort();
  await Promise.all([...first, ...left]);
  expect(await load(owner)).toBe(200);
  expect(state.rendered).toHaveLength(8 + 20 + 1);
  expect(state.most).toBeLessThanOrEqual(8 + 1);
});

test("a page that takes very long gives its turn to the next one; who gets none is answered 503, as in an outage", async () => {
  const turns = new Turns({ slots: 8, slotsOfOne: 1, patienceMs: 400 });
  const { load } = await serve(1_500, { turns, atMostMs: 150, afterAbortMs: 150 });
  const statuses = await Promise.all(Array.from({ length: 8 }, () => load(1)));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1);
});
