import { balance, bundles, products } from "#lib/http/dispatch-api/account.ts";
import type { Tool } from "./tool.ts";

export const accountTools: readonly Tool[] = [
  {
    name: "list_products",
    title: "List products",
    description:
      "Products on sale with their cycles and your prices. product_id and cycle_id identify them in quote_registration; type is the filter of find_licenses.",
    about: {},
    endpoint: products,
  },
  {
    name: "list_bundles",
    title: "List bundles",
    description: "Bundles on sale with their products, cycles and your prices. A bundle is bought and renewed as one.",
    about: {},
    endpoint: bundles,
  },
  {
    name: "get_balance",
    title: "Get the balance",
    description:
      "Your available balance: what can be spent now. pending_transactions counts charges that wait for the provider.",
    about: {},
    endpoint: balance,
  },
];
