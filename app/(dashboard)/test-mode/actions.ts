"use server";
import { z } from "zod";
import { id } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { contextOf } from "#lib/dashboard/session.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { MAX_REHEARSED_REQUESTS, rehearsedOutcomes } from "#lib/domain/simulation.ts";
import { parameter } from "#lib/http/parameters.ts";
import { addPlayMoney as addPlayMoneyService } from "#lib/services/sandbox/add-play-money.ts";
import { advanceLicense } from "#lib/services/sandbox/advance.ts";
import { setRehearsal } from "#lib/services/sandbox/rehearsal.ts";
import { resetSandbox } from "#lib/services/sandbox/reset.ts";
import { switchTestMode } from "#lib/services/sandbox/switch.ts";

export const switchMode = defineAction({
  name: "test-mode.switchMode",
  input: z.strictObject({ testMode: z.boolean() }),
  repeatable: true,
  run: (_ctx, mode, _bound, user) => switchTestMode(contextOf(user, { live: true }), mode),
});

export const rehearse = defineAction({
  name: "test-mode.rehearse",
  input: z.strictObject({
    outcome: z.string().pipe(z.enum(rehearsedOutcomes)),
    remaining: parameter.integerUpTo(MAX_REHEARSED_REQUESTS),
  }),
  revalidateOnSuccess: ["/test-mode"],
  run: setRehearsal,
});

export const addPlayMoney = defineAction({
  name: "test-mode.addPlayMoney",
  input: z.strictObject({ amount: z.string() }),
  revalidateOnSuccess: ["/test-mode", "/wallet"],
  run: addPlayMoneyService,
});

/** Names the sandbox: a repetition must not reset the new one. */
export const reset = defineAction({
  name: "test-mode.reset",
  bound: z.strictObject({ sandboxId: id<ResellerId>() }),
  run: (ctx, _input, sandbox) => resetSandbox(ctx, sandbox),
});

export const advance = defineAction({
  name: "test-mode.advance",
  bound: z.strictObject({ licenseId: id<LicenseId>() }),
  input: z.strictObject({ days: z.number().int() }),
  revalidateOnSuccess: ["/licenses"],
  run: (ctx, { days }, { licenseId }) => advanceLicense(ctx, { licenseId, daysBeforeEnd: days }),
});
