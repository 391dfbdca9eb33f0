import type { ProviderAccount } from "#lib/ports/license-provider.ts";
import type { DispatchReader } from "./dispatch-reader.ts";
import { balanceSchema, productsSchema } from "./parse-reply.ts";

/** Our account at the provider: `balance` and `products` (contract 3.8, 3.12). */
export function createDispatchAccount(reader: DispatchReader): ProviderAccount {
  return {
    async readBalance() {
      const { balance, currency } = await reader.read("balance", balanceSchema);
      return { balance: amountToText(balance), currency };
    },

    async listProducts() {
      const { products } = await reader.read("products", productsSchema);
      return products.map(({ product_id, name, type, core_metered, workers, cycles }) => ({
        sku: String(product_id),
        name,
        type,
        coreMetered: core_metered,
        workers,
        cycles: cycles.map((cycle) => ({
          cycle: String(cycle.cycle_id),
          name: cycle.name,
          months: cycle.months,
          currency: cycle.currency,
          price: amountToText(cycle.price),
          setupFee: amountToText(cycle.setup_fee),
          pricePerCore: cycle.price_per_core === null ? null : amountToText(cycle.price_per_core),
        })),
      }));
    },
  };
}

const MAX_DECIMALS = 3;

/** 1e-7 and 0.1 + 0.2 are not amounts: text without exponent, within exact precision. */
export function amountToText(amount: number): string {
  const text = String(amount);
  return text.includes("e") ? amount.toFixed(MAX_DECIMALS) : text;
}
