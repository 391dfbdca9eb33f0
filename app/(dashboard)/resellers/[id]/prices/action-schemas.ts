import { z } from "zod";
import { parameter } from "#lib/http/parameters.ts";

export const refSchema = z.object({ cycle_id: parameter.integer });
