import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AttentionCard } from "./attention-card.tsx";

test("what needs attention is listed worst first, and in its own order within a tone", () => {
  const alerts = (["info", "caution", "critical", "caution", "critical"] as const).map((tone, n) => ({
    id: String(n),
    tone,
    title: `${tone} ${n}`,
    detail: "",
    action: "View",
    href: "/",
  }));
  const shown = renderToStaticMarkup(createElement(AttentionCard, { alerts, none: "" }));
  expect([...new Set(shown.match(/(?:info|caution|critical) \d/g))]).toEqual([
    "critical 2",
    "critical 4",
    "caution 1",
    "caution 3",
    "info 0",
  ]);
});
