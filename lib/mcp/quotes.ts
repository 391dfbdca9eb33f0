import { licenseChangeCore, licenseRegister } from "#lib/http/dispatch-api/license.ts";
import { dataAnswers, previewAnswer } from "#lib/http/dispatch-api/present.ts";
import type { Endpoint } from "#lib/http/endpoint.ts";
import type { Tool } from "./tool.ts";

/** The dry run of an operation that charges (contract 3.18). */
function dryRunOf(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    schemaFor: (currency) => endpoint.schemaFor(currency).omit({ dry_run: true, expected_price: true }),
    responses: dataAnswers(previewAnswer),
    acceptsKey: false,
    read: (raw, facts) => endpoint.read({ ...raw, dry_run: true }, facts),
  };
}

export const quoteTools: readonly Tool[] = [
  {
    name: "quote_registration",
    title: "Quote a registration",
    description:
      "Whether a new license can be registered on an address, what it costs and the balance after it. Runs every check of license.register and changes nothing.",
    about: {
      product_id: "The product's id, from list_products.",
      cycle_id: "The id of one of the product's cycles.",
      ip_address: "The IPv4 address of the server.",
      notes: "Notes for the license.",
      external_id: "Your own name of the license, such as an order number.",
    },
    endpoint: dryRunOf(licenseRegister),
  },
  {
    name: "quote_core_change",
    title: "Quote a change of cores",
    description:
      "What changing a license's cores costs now and the balance after it; a negative price is a credit. Runs every check of license.change_core and changes nothing.",
    about: { license_id: "The license's id.", cores: "The new number of cores." },
    endpoint: dryRunOf(licenseChangeCore),
  },
];
