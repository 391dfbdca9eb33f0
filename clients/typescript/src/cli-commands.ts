import { createInterface } from "node:readline";
import { type Command, type Context, EXIT, numberOf, numberOption, textOf, UsageError } from "./cli-context.ts";
import { tailEvents } from "./cli-events.ts";
import { formatMoney } from "./cli-output.ts";
import { type Pending, type ProductsResult, TimeoutError } from "./index.ts";

const WAIT_SECONDS = 30;

const change = {
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

function findOffer({ products }: ProductsResult, productId: number, cycleId: number) {
  const product = products.find(({ product_id }) => product_id === productId);
  const cycle = product?.cycles.find(({ cycle_id }) => cycle_id === cycleId);
  if (!(product && cycle)) throw new UsageError("This product and cycle are not on sale: see license-desk products.");
  // Exact again: a currency has at most three decimals.
  const price = Number((cycle.price + cycle.setup_fee).toFixed(3));
  return { product, cycle, price };
}

async function confirm({ io }: Context, question: string): Promise<boolean> {
  const reader = createInterface({ input: io.input, output: io.errors });
  const answer = await new Promise<string>((resolve) => {
    reader.once("close", () => resolve(""));
    reader.question(`${question} [y/N] `, resolve);
  });
  reader.close();
  return /^y(es)?$/i.test(answer.trim());
}

const register: Command = {
  summary: "Register a license and pay for it.",
  operands: [],
  options: {
    product: { type: "string", value: "<id>", help: "from `products`", required: true },
    cycle: { type: "string", value: "<id>", help: "one of the product's", required: true },
    ip: { type: "string", value: "<address>", help: "where the software runs", required: true },
    notes: { type: "string", value: "<text>", help: "internal notes" },
    yes: { type: "boolean", help: "do not ask on a terminal" },
    ...change,
  },
  async run(context) {
    const { desk, values, io } = context;
    const notes = textOf(context, "notes");
    const license = {
      product_id: numberOption(context, "product") ?? 0,
      cycle_id: numberOption(context, "cycle") ?? 0,
      ip_address: textOf(context, "ip") ?? "",
      ...(notes === undefined ? {} : { notes }),
    };
    if (!io.isTerminal || values.yes) {
      return finish(context, await desk.licenses.register(license, changeOptions(context)));
    }
    const { product, cycle, price } = findOffer(await desk.products(), license.product_id, license.cycle_id);
    const cost = formatMoney(price, cycle.currency);
    const setup = cycle.setup_fee > 0 ? `, of which ${formatMoney(cycle.setup_fee, cycle.currency)} setup` : "";
    io.errors.write(`${product.name}, ${cycle.name}, on ${license.ip_address}: ${cost}${setup}.\n`);
    if (!(await confirm(context, `Register for ${cost}?`))) {
      io.errors.write("Nothing was registered.\n");
      return EXIT.rejected;
    }
    return finish(context, await desk.licenses.register({ ...license, expected_price: price }, changeOptions(context)));
  },
};

const renew: Command = {
  summary: "Extend a license by a cycle and pay for it.",
  operands: ["license id"],
  options: { cycle: { type: "string", value: "<id>", help: "default: the current one" }, ...change },
  async run(context) {
    const cycle_id = numberOption(context, "cycle");
    const renewal = {
      license_id: numberOf(context.operands[0] ?? "", "The license id"),
      ...(cycle_id === undefined ? {} : { cycle_id }),
    };
    return finish(context, await context.desk.licenses.renew(renewal, changeOptions(context)));
  },
};

const list: Command = {
  summary: "List licenses, oldest first.",
  operands: [],
  options: {
    status: { type: "string", value: "<status>", help: "pending, active, suspended, expired or terminated" },
    type: { type: "string", value: "<slug>", help: "of the product" },
    ip: { type: "string", value: "<address>", help: "on this address" },
    search: { type: "string", value: "<text>", help: "prefix of the key, the address, or a word of name or notes" },
    "expires-within": { type: "string", value: "<days>", help: "whose term ends by then" },
  },
  async run(context) {
    const filter = {
      status: textOf(context, "status"),
      type: textOf(context, "type"),
      ip_address: textOf(context, "ip"),
      q: textOf(context, "search"),
      expires_within: numberOption(context, "expires-within"),
    };
    // The API checks the values.
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    await context.print.rows(context.desk.licenses.list(given), (license) => ({ ...license }));
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
