import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPanel, runPanel, servePanel } from "./panels.ts";
import type { Reseller } from "./world.ts";

const ORDER_ID = 5;
const CLIENT_ID = 7;

export interface OrderFields {
  readonly productId: number;
  readonly address: string;
  readonly period?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

interface Order {
  readonly status: string;
  readonly expires_at: string | null;
}

interface Service {
  readonly license: Readonly<Record<string, string>>;
  readonly install_command: string;
  readonly ip_changes_left: number;
}

/** A FOSSBilling with the module, installed as its README says, and one unpaid order. */
export class FossBilling {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async install(folder: string, { baseUrl, apiKey }: Reseller, order: OrderFields): Promise<FossBilling> {
    await installPanel("fossbilling", folder);
    const panel = new FossBilling(folder);
    panel.configure({ url: baseUrl, api_key: apiKey, webhook_secret: "" });
    const { productId, address, period = "1M", config = {} } = order;
    const settings = JSON.stringify({ license_desk_product: String(productId), ip_address: address, ...config });
    await panel.#ask({ install: { period, config: settings } });
    return panel;
  }

  /** Saves the module's settings. */
  configure(settings: Readonly<Record<string, string>>): void {
    const file = join(this.folder, "settings.json");
    writeFileSync(file, JSON.stringify({ ...this.settings(), ...settings }));
  }

  settings(): Record<string, string> {
    try {
      return JSON.parse(readFileSync(join(this.folder, "settings.json"), "utf8"));
    } catch {
      return {};
    }
  }

  /** Calls a method of the order service: "success", or what staff is shown. */
  async run(method: string): Promise<string> {
    const outcome = await runPanel(this.folder, { order: method, id: ORDER_ID });
    return (outcome as { readonly failure?: string }).failure ?? "success";
  }

  /** The same on a page that somebody waits for. */
  async runOnPage(method: string): Promise<string> {
    const outcome = await servePanel(this.folder, { order: method, id: ORDER_ID });
    return (outcome as { readonly failure?: string }).failure ?? "success";
  }

  api(role: "Admin" | "Client", method: string, data: object = {}, identity = CLIENT_ID): Promise<unknown> {
    return runPanel(this.folder, { api: role, method, data: { order_id: ORDER_ID, ...data }, identity });
  }

  /** What the order form's data becomes for a product with these settings. */
  fillCart(product: object, data: object): Promise<unknown> {
    return runPanel(this.folder, { cart: JSON.stringify(product), data });
  }

  async cron(): Promise<void> {
    await this.#ask({ cron: true });
  }

  async order(): Promise<Order> {
    return (await this.#ask({ read: ORDER_ID })) as Order;
  }

  /** What the order's page gets as `service`. */
  async service(): Promise<Service> {
    return (await this.#ask({ order: "getOrderServiceData", id: ORDER_ID })) as Service;
  }

  /** The next row that the module inserts is inserted by another process just before. */
  loseNextInsert(): void {
    writeFileSync(join(this.folder, "panel.sqlite.race"), "");
  }

  async sql(sql: string): Promise<void> {
    await this.#ask({ sql });
  }

  async render(area: string, template: string, vars: object, api: object = {}): Promise<string> {
    return String(await runPanel(this.folder, { area, template, vars, api }, "render.php"));
  }

  log(): string {
    return readFileSync(join(this.folder, "panel.log"), "utf8");
  }

  async #ask(task: object): Promise<unknown> {
    const outcome = (await runPanel(this.folder, task)) as { readonly value?: unknown; readonly failure?: string };
    if (outcome.failure !== undefined) throw new Error(outcome.failure);
    return outcome.value;
  }
}
