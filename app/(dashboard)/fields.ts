import { z } from "zod";
import { parameter } from "#lib/http/parameters.ts";

/** The address of the server that a form registers something for. */
export const serverAddress = z
  .string()
  .refine((text) => text.trim() !== "", "Enter the server's IPv4 address.")
  .pipe(parameter.ipv4);
