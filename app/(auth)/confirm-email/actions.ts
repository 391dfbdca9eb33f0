"use server";
import { z } from "zod";
import { defineVisitorAction } from "#lib/dashboard/define-visitor-action.ts";
import { confirmEmailChange, findEmailChange } from "#lib/services/user/change-email.ts";

const input = z.strictObject({ token: z.string().max(100) });

export const readChange = defineVisitorAction({ name: "confirm-email.readChange", input, run: findEmailChange });

export const confirm = defineVisitorAction({ name: "confirm-email.confirm", input, run: confirmEmailChange });
