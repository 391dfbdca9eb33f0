import { z } from "zod";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { describeCaller, meAnswer } from "#lib/http/me.ts";
import { listBundles } from "#lib/services/catalog/list-bundles.ts";
import { type CycleOffer, listProducts } from "#lib/services/catalog/list-products.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { dataAnswers, dataResult } from "./present.ts";

const none = z.object({});

/** The calling key: contract 1.17. */
export const me = defineEndpoint({
  name: "me",
  method: "GET",
  scope: null,
  parameters: none,
  responses: dataAnswers(meAnswer),
  handle: async (ctx) => dataResult(await describeCaller(ctx)),
});

/** Response: contract 3.12. */
export const balance = defineEndpoint({
  name: "balance",
  method: "GET",
  scope: "wallet:read",
  parameters: none,
  responses: dataAnswers(
    z.strictObject({ balance: field.money, currency: field.currency, pending_transactions: field.count }),
  ),
  async handle(ctx) {
    const { spendable, currency, pendingCount } = await getBalance(ctx);
    return dataResult({ balance: toMajorNumber(spendable, currency), currency, pending_transactions: pendingCount });
  },
});

const cycle = z.strictObject({
  cycle_id: field.number,
  name: field.text,
  months: field.count,
  price: field.money,
  setup_fee: field.money,
  price_per_core: field.money.nullable(),
  currency: field.currency,
});
const product = z.strictObject({ product_id: field.number, name: field.text, type: field.text });

function toCycle(cycle: CycleOffer, currency: Currency) {
  const { cycleId, name, months, price, setupFee, pricePerCore } = cycle;
  return {
    cycle_id: cycleId,
    name,
    months,
    price: toMajorNumber(price, currency),
    setup_fee: toMajorNumber(setupFee, currency),
    price_per_core: pricePerCore === null ? null : toMajorNumber(pricePerCore, currency),
    currency,
  };
}

/** Response: contract 3.8. */
export const products = defineEndpoint({
  name: "products",
  method: "GET",
  scope: "catalog:read",
  parameters: none,
  responses: dataAnswers(
    z.strictObject({
      products: z.array(product.extend({ core_metered: field.flag, workers: field.count, cycles: z.array(cycle) })),
    }),
  ),
  async handle(ctx) {
    const offers = await listProducts(ctx);
    return dataResult({
      products: offers.map(({ productId, name, type, coreMetered, workers, cycles, currency }) => ({
        product_id: productId,
        name,
        type,
        core_metered: coreMetered,
        workers,
        cycles: cycles.map((cycle) => toCycle(cycle, currency)),
      })),
    });
  },
});

/** Response: contract 3.9. */
export const bundles = defineEndpoint({
  name: "bundles",
  method: "GET",
  scope: "catalog:read",
  parameters: none,
  responses: dataAnswers(
    z.strictObject({
      bundles: z.array(
        z.strictObject({
          bundle_id: field.number,
          name: field.text,
          description: field.text,
          products: z.array(product),
          cycles: z.array(cycle),
        }),
      ),
    }),
  ),
  async handle(ctx) {
    const offers = await listBundles(ctx);
    return dataResult({
      bundles: offers.map(({ bundleId, name, description, products, cycles, currency }) => ({
        bundle_id: bundleId,
        name,
        description,
        products: products.map(({ productId, name, type }) => ({ product_id: productId, name, type })),
        cycles: cycles.map((cycle) => toCycle(cycle, currency)),
      })),
    });
  },
});
