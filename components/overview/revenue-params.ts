import { createLoader, createSerializer } from "nuqs/server";
import { parseAsText } from "#components/ui/list-params.ts";

/** Revenue in a URL: a currency, and a month (`2026-11`). Null: the first one, and this month. */
const revenueParams = {
  currency: parseAsText((text) => /^[A-Z]{3}$/.test(text)),
  month: parseAsText((text) => /^\d{4}-\d{2}$/.test(text)),
};
export const loadRevenueParams = createLoader(revenueParams);
export const revenueHref = createSerializer(revenueParams);
