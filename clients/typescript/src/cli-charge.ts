import { createInterface } from "node:readline";
import { type Context, EXIT, type Io, numberOption, type Options, textOf, UsageError } from "./cli-context.ts";
import { formatMoney } from "./cli-output.ts";
import { type ChangeOptions, LicenseDeskError, type Pending, TimeoutError } from "./index.ts";

const WAIT_SECONDS = 30;

export const chargeOptions = {
  yes: { type: "boolean", help: "do not ask on a terminal" },
  "expected-price": { type: "string", value: "<amount>", help: "reject any other price" },
  "idempotency-key": { type: "string", value: "<text>", help: "calls with the same key change and charge once" },
  wait: { type: "string", value: "<seconds>", help: `for an open outcome; default: ${WAIT_SECONDS}` },
} as const satisfies Options;

interface Quote {
  readonly price: number;
  readonly currency: string;
  readonly balance_after: number;
}

/** A change that charges, and its price before that. */
interface Charge<Params> {
  readonly question: string;
  readonly params: Params;
  readonly preview: (params: Params) => Promise<Quote>;
  readonly send: (params: Params & { readonly expected_price?: number }, options: ChangeOptions) => Promise<object>;
}

/** Asks on a terminal, makes the change and waits for its outcome. Returns the exit code. */
export async function charge<Params extends object>(
  context: Context,
  { question, params, preview, send }: Charge<Params>,
): Promise<number> {
  const { io, values } = context;
  const idempotencyKey = textOf(context, "idempotency-key") ?? crypto.randomUUID();
  let priced = { ...params, ...expectedPrice(context) };
  if (io.isTerminal && !values.yes) {
    const quote = await preview(priced);
    if (!(await agree(io, question, quote))) return EXIT.rejected;
    priced = { ...params, expected_price: quote.price };
  }
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const ignoreInterrupts = io.onInterrupt?.(() => interrupted.abort());
  try {
    return await finish(context, await send(priced, { idempotencyKey, signal }), signal);
  } catch (error) {
    if (signal.aborted || (error instanceof LicenseDeskError && error.isUnclear)) {
      const price = priced.expected_price === undefined ? "" : ` --expected-price ${priced.expected_price}`;
      io.errors.write(
        `The change may have happened. To continue, add: --yes${price} --idempotency-key ${idempotencyKey}\n`,
      );
    }
    if (signal.aborted) return EXIT.pending;
    throw error;
  } finally {
    ignoreInterrupts?.();
  }
}

function expectedPrice(context: Context): { readonly expected_price?: number } {
  const text = textOf(context, "expected-price");
  if (text === undefined) return {};
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new UsageError(`--expected-price is not an amount: ${text}`);
  return { expected_price: Number(text) };
}

async function agree(io: Io, question: string, { price, currency, balance_after }: Quote): Promise<boolean> {
  const [cost, left] = [formatMoney(price, currency), formatMoney(balance_after, currency)];
  const reader = createInterface({ input: io.input, output: io.errors });
  const answer = await new Promise<string>((resolve) => {
    reader.once("close", () => resolve(""));
    reader.question(`${question} for ${cost}, which leaves ${left}? [y/N] `, resolve);
  });
  reader.close();
  if (/^y(es)?$/i.test(answer.trim())) return true;
  io.errors.write("Nothing was changed.\n");
  return false;
}

function isPending(outcome: object): outcome is Pending<object, object> {
  return "settled" in outcome;
}

async function finish(context: Context, outcome: object, signal: AbortSignal): Promise<number> {
  if (!isPending(outcome)) {
    context.print.one(outcome);
    return EXIT.done;
  }
  const seconds = numberOption(context, "wait") ?? WAIT_SECONDS;
  context.io.errors.write(`The provider has not confirmed this yet. Waiting for up to ${seconds} seconds.\n`);
  try {
    context.print.one(await outcome.settled({ timeoutMs: seconds * 1000, signal }));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const { settled, ...known } = outcome;
    context.print.one(known);
    return EXIT.pending;
  }
}
