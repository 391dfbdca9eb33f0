import { charge, chargeOptions } from "./cli-charge.ts";
import { type Command, EXIT, numberOf, numberOption, textOf } from "./cli-context.ts";
import { tailEvents } from "./cli-events.ts";
import { formatMoney } from "./cli-output.ts";

const register: Command = {
  summary: "Register a license and pay for it.",
  operands: [],
  options: {
    product: { type: "string", value: "<id>", help: "from `products`", required: true },
    cycle: { type: "string", value: "<id>", help: "one of the product's", required: true },
    ip: { type: "string", value: "<address>", help: "where the software runs", required: true },
    notes: { type: "string", value: "<text>", help: "internal notes" },
    "external-id": { type: "string", value: "<text>", help: "your own name of it; it is bought once" },
    ...chargeOptions,
  },
  async run(context) {
    const { register: send, preview } = context.desk.licenses;
    const [notes, external_id] = [textOf(context, "notes"), textOf(context, "external-id")];
    const params = {
      product_id: numberOption(context, "product") ?? 0,
      cycle_id: numberOption(context, "cycle") ?? 0,
      ip_address: textOf(context, "ip") ?? "",
      ...(notes === undefined ? {} : { notes }),
      ...(external_id === undefined ? {} : { external_id }),
    };
    const question = `Register a license on ${params.ip_address}`;
    return charge(context, { question, params, preview: preview.register, send });
  },
};

const renew: Command = {
  summary: "Extend a license by a cycle and pay for it.",
  operands: ["license id"],
  options: { cycle: { type: "string", value: "<id>", help: "default: the current one" }, ...chargeOptions },
  async run(context) {
    const { renew: send, preview } = context.desk.licenses;
    const cycle_id = numberOption(context, "cycle");
    const params = {
      license_id: numberOf(context.operands[0] ?? "", "The license id"),
      ...(cycle_id === undefined ? {} : { cycle_id }),
    };
    return charge(context, { question: `Renew license ${params.license_id}`, params, preview: preview.renew, send });
  },
};

const list: Command = {
  summary: "List licenses, oldest first.",
  operands: [],
  options: {
    status: { type: "string", value: "<status>", help: "pending, active, suspended, expired or terminated" },
    type: { type: "string", value: "<slug>", help: "of the product" },
    ip: { type: "string", value: "<address>", help: "on this address" },
    key: { type: "string", value: "<key>", help: "this license only" },
    "external-id": { type: "string", value: "<text>", help: "your own name of it" },
    customer: { type: "string", value: "<text>", help: "whole name, email address or reference of your customer" },
    tag: { type: "string", value: "<tag>", help: "a whole tag" },
    search: {
      type: "string",
      value: "<text>",
      help: "start of the key, of the address, or of a word of name or notes",
    },
    "expires-within": { type: "string", value: "<days>", help: "whose term ends by then" },
  },
  async run(context) {
    const filter = {
      status: textOf(context, "status"),
      type: textOf(context, "type"),
      ip_address: textOf(context, "ip"),
      license_key: textOf(context, "key"),
      external_id: textOf(context, "external-id"),
      customer: textOf(context, "customer"),
      tag: textOf(context, "tag"),
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
