import { expect, test } from "vitest";
import type { NotificationRow } from "#lib/services/notification/list.ts";
import { groupNotifications } from "./group.ts";

type Row = NotificationRow & { readonly unread: boolean };

const at = (minute: number) => new Date(Date.UTC(2026, 10, 25, 9, minute));
const topUp = (id: number, unread = false): Row => ({
  id: `top-up ${id}`,
  kind: "top_up.requested",
  at: at(id),
  data: { reseller: `Reseller ${id}`, amount: "700", currency: "USD" },
  licenseId: null,
  name: null,
  server: null,
  unread,
});
const problem = (id: number): Row => ({
  ...topUp(id),
  kind: "system.problems",
  data: { problems: ["Disk."] },
});

test("three alike are one entry, where the newest of them is, which counts the unread and keeps each", () => {
  const [group, ...others] = groupNotifications([topUp(9, true), problem(8), topUp(7), topUp(6, true)]);
  expect(group).toMatchObject({ title: "3 top-ups to credit or decline", href: "/top-ups", at: at(9), unread: 2 });
  expect(group && "lines" in group && group.lines.map(({ id, unread }) => [id, unread])).toEqual([
    ["top-up 9", true],
    ["top-up 7", false],
    ["top-up 6", true],
  ]);
  expect(others.map(({ id }) => id)).toEqual(["top-up 8"]);
});

test("two alike, and those that no list answers together, stay entries of their own", () => {
  const all = [topUp(9), topUp(8), problem(7), problem(6), problem(5)];
  expect(groupNotifications(all).map(({ title }) => title)).toEqual([
    "Reseller 9 reports a payment of $7.00",
    "Reseller 8 reports a payment of $7.00",
    "Disk",
    "Disk",
    "Disk",
  ]);
});

test("cases are grouped by what differs, and lead to the list of that", () => {
  const opened = (id: number, kind: string): Row => ({
    ...topUp(id),
    id: `case ${id}`,
    kind: "case.opened",
    data: { kind, case_id: id, provider: "sandbox", reference: "LIC", reseller: null },
  });
  const kinds = ["differs", "differs", "late_success", "differs", "unknown_at_ours"];
  const entries = groupNotifications(kinds.map((kind, index) => opened(9 - index, kind)));
  expect(entries.map(({ title, href }) => [title, href])).toEqual([
    ["3 licenses differ from the provider", "/reconciliation?kind=differs"],
    ["Completed late: LIC", "/reconciliation/7"],
    ["Not in License Desk: LIC", "/reconciliation/5"],
  ]);
});

const failed = (id: number, licenseId = id, data: Row["data"] = { reason: "insufficient_balance" }): Row => ({
  ...topUp(id),
  id: `event ${id}`,
  kind: "license.renewal_failed",
  data,
  licenseId,
});

test("failed renewals lead to the list of those that are not renewed yet, each license counted once", () => {
  const [group] = groupNotifications([failed(9), failed(8), failed(7), failed(6, 7)]);
  expect(group).toMatchObject({ title: "3 licenses were not renewed", href: "/licenses?renewal=failed" });
});

test("a failed renewal is called retried only if auto-renew retries it", () => {
  const requested = { reason: "provider_failed", requested: true };
  const entries = groupNotifications([
    failed(9, 9, requested),
    failed(8, 8, requested),
    failed(7, 7, requested),
    failed(6),
  ]);
  expect(entries.map(({ detail }) => detail)).toEqual([
    ...Array(3).fill("The provider refused, or was not reached. Nothing was charged. Renew it again."),
    "Not enough balance. While auto-renew is on, it is retried until the term ends.",
  ]);
});
