import { createInterface } from "node:readline";
import { type Command, type Context, EXIT, numberOf, numberOption, textOf } from "./cli-context.ts";
import { tailEvents } from "./cli-events.ts";
import { formatMoney } from "./cli-output.ts";
import { type Pending, TimeoutError } from "./index.ts";

const WAIT_SECONDS = 30;

const change = {
  yes: { type: "boolean", help: "do not ask on a terminal" },
  "idempotency-key": { type: "string", value: "<text>", help: "calls with the same key change and charge once" },
  wait: { type: "string", value: "<seconds>", help: `for an open outcome; default: ${WAIT_SECONDS}` },
} as const;

/** Waits for an open outcome and prints what is known. Returns the exit code. */
async function finish<Known extends object, Settled extends object>(
  context: Context,
  outcome: Settled | Pending<Known, Settled>,
): Promise<number> {
  if (!("settled" in outcome)) {
    context.print.one(outcome);
    return EXIT.done;
  }
  const seconds = numberOption(context, "wait") ?? WAIT_SECONDS;
  context.io.errors.write(`The provider has not confirmed this yet. Waiting for up to ${seconds} seconds.\n`);
  try {
    context.print.one(await outcome.settled({ timeoutMs: seconds * 1000 }));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const { settled, ...known } = outcome;
    context.print.one(known);
    return EXIT.pending;
  }
}

function changeOptions(context: Context) {
  const idempotencyKey = textOf(context, "idempotency-key");
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

/** Shows on a terminal what a change costs and asks. Returns the price to charge at most, or null after a no. */
async function agree(
  { io, values }: Context,
  what: string,
  preview: () => Promise<{ readonly price: number; readonly currency: string; readonly balance_after: number }>,
): Promise<{ readonly expected_price?: number } | null> {
  if (!io.isTerminal || values.yes) return {};
  const { price, currency, balance_after } = await preview();
  const [cost, left] = [formatMoney(price, currency), formatMoney(balance_after, currency)];
  const reader = createInterface({ input: io.input, output: io.errors });
  const answer = await new Promise<string>((resolve) => {
    reader.once("close", () => resolve(""));
    reader.question(`${what} for ${cost}, which leaves ${left}? [y/N] `, resolve);
  });
  reader.close();
  if (/^y(es)?$/i.test(answer.trim())) return { expected_price: price };
  io.errors.write("Nothing was changed.\n");
  return null;
}

const register: Command = {
  summary: "Register a license and pay for it.",
  operands: [],
  options: {
    product: { type: "string", value: "<id>", help: "from `products`", required: true },
    cycle: { type: "string", value: "<id>", help: "one of the product's", required: true },
    ip: { type: "string", value: "<address>", help: "where the software runs", required: true },
    notes: { type: "string", value: "<text>", help: "internal notes" },
    "external-id": { type: "string", value: "<text>", help: "your own name of it; it is bought once" },
    ...change,
  },
  async run(context) {
    const { register, preview } = context.desk.licenses;
    const [notes, external_id] = [textOf(context, "notes"), textOf(context, "external-id")];
    const license = {
      product_id: numberOption(context, "product") ?? 0,
      cycle_id: numberOption(context, "cycle") ?? 0,
      ip_address: textOf(context, "ip") ?? "",
      ...(notes === undefined ? {} : { notes }),
      ...(external_id === undefined ? {} : { external_id }),
    };
    const agreed = await agree(context, `Register a license on ${license.ip_address}`, () => preview.register(license));
    if (!agreed) return EXIT.rejected;
    return finish(context, await register({ ...license, ...agreed }, changeOptions(context)));
  },
};

const renew: Command = {
  summary: "Extend a license by a cycle and pay for it.",
  operands: ["license id"],
  options: { cycle: { type: "string", value: "<id>", help: "default: the current one" }, ...change },
  async run(context) {
    const { renew, preview } = context.desk.licenses;
    const cycle_id = numberOption(context, "cycle");
    const renewal = {
      license_id: numberOf(context.operands[0] ?? "", "The license id"),
      ...(cycle_id === undefined ? {} : { cycle_id }),
    };
    const agreed = await agree(context, `Renew license ${renewal.license_id}`, () => preview.renew(renewal));
    if (!agreed) return EXIT.rejected;
    return finish(context, await renew({ ...renewal, ...agreed }, changeOptions(context)));
  },
};

const list: Command = {
  summary: "List licenses, oldest first.",
  operands: [],
  options: {
    status: { type: "string", value: "<status>", help: "pending, active, suspended, expired or terminated" },
    type: { type: "string", value: "<slug>", help: "of the product" },
    ip: { type: "string", value: "<address>", help: "on this address" },
    "external-id": { type: "string", value: "<text>", help: "your own name of it" },
    search: { type: "string", value: "<text>", help: "prefix of the key, the address, or a word of name or notes" },
    "expires-within": { type: "string", value: "<days>", help: "whose term ends by then" },
  },
  async run(context) {
    const filter = {
      status: textOf(context, "status"),
      type: textOf(context, "type"),
      ip_address: textOf(context, "ip"),
      external_id: textOf(context, "external-id"),
      q: textOf(context, "search"),
      expires_within: numberOption(context, "expires-within"),
    };
    // The API checks the values.
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    await context.print.rows(context.desk.licenses.list(given), (license) => ({
      license: license.license_id,
      key: license.license_key,
      product: license.product,
      ip: license.ip_address,
      status: license.status,
      expires: license.expires_at,
    }));
    return EXIT.done;
  },
};

const verify: Command = {
  summary: "Report whether a license is valid on an address now.",
  operands: ["license key"],
  options: { ip: { type: "string", value: "<address>", help: "default: the address of this machine" } },
  async run(context) {
    const ip_address = textOf(context, "ip");
    const verification = await context.desk.licenses.verify({
      license_key: context.operands[0] ?? "",
      ...(ip_address === undefined ? {} : { ip_address }),
    });
    context.print.one(verification);
    return verification.valid ? EXIT.done : EXIT.rejected;
  },
};

const info: Command = {
  summary: "Show a license.",
  operands: ["license id"],
  options: {},
  async run({ desk, operands, print }) {
    print.one(await desk.licenses.info({ license_id: numberOf(operands[0] ?? "", "The license id") }));
    return EXIT.done;
  },
};

const balance: Command = {
  summary: "Show the available balance.",
  operands: [],
  options: {},
  async run({ desk, print }) {
    print.one(await desk.balance());
    return EXIT.done;
  },
};

const products: Command = {
  summary: "List the products on sale with their cycles and prices.",
  operands: [],
  options: {},
  async run({ desk, print }) {
    const { products: offers } = await desk.products();
    const cycles = offers.flatMap(({ product_id, name, type, cycles }) =>
      cycles.map(({ name: cycle, ...terms }) => ({ product_id, name, type, cycle, ...terms })),
    );
    await print.rows(cycles, ({ product_id, name, cycle_id, cycle, currency, ...prices }) => ({
      product: product_id,
      name,
      cycle: cycle_id,
      term: cycle,
      price: formatMoney(prices.price, currency),
      setup: formatMoney(prices.setup_fee, currency),
      "per core": prices.price_per_core === null ? "" : formatMoney(prices.price_per_core, currency),
    }));
    return EXIT.done;
  },
};

export const commands: Readonly<Record<string, Command>> = {
  register,
  renew,
  list,
  verify,
  info,
  balance,
  products,
  "events tail": tailEvents,
};
