/** Fields of the stored data of messages. */
import { z } from "zod";
import { timeText } from "./blocks.ts";

/** Major units. */
export const amount = z.union([z.string(), z.number()]).transform(String);

export const license = { product: z.string(), server: z.string(), expires_at: z.string() };

interface License {
  readonly product: string;
  readonly server: string;
  readonly expires_at: string;
}

/** Under a heading that has the day. */
export function licenseLine({ product, server, expires_at }: License): string {
  return `${server} (${product}), ${timeText(expires_at)}`;
}
