/** Fields of the stored data of messages. */
import { z } from "zod";

/** Major units. */
export const amount = z.union([z.string(), z.number()]).transform(String);

export const license = { product: z.string(), server: z.string(), expires_at: z.string() };

export function licenseLine({ product, server }: { readonly product: string; readonly server: string }): string {
  return `${server} (${product})`;
}
