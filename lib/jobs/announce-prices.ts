import { announceRisenPrices } from "#lib/services/renewals/announce-prices.ts";
import type { Job } from "./job.ts";

export const announcePricesJob: Job = async (ctx) => {
  const announced = await announceRisenPrices(ctx);
  return announced > 0 ? { announced } : null;
};
