import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPanel, runPanel, servePanel } from "./panels.ts";
import type { Reseller } from "./world.ts";

const SERVICE_ID = 42;

export interface ServiceFields {
  readonly productId: number;
  readonly address: string;
  readonly billingCycle?: string;
  readonly configOptions?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Page {
  readonly templatefile: string;
  readonly vars: object;
}

interface Row {
  [column: string]: unknown;
}

interface Database {
  readonly tblhosting: { rows: Row[] };
  readonly tblservers: { rows: Row[] };
  readonly mod_licensedesk: { rows: Row[] };
  readonly tblpricing: { rows: Row[] };
  readonly tbladdonmodules: { rows: Row[] };
  readonly properties: Record<string, Record<string, string>>;
  readonly log: string[];
}

/** A WHMCS with the modules, installed as their README says, with one server, one product and one service. */
export class Panel {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async install(folder: string, { baseUrl, apiKey }: Reseller, service: ServiceFields): Promise<Panel> {
    await installPanel("whmcs", folder);
    const { hostname, port } = new URL(baseUrl);
    const server = { id: 1, type: "licensedesk", hostname, ipaddress: "", port, secure: "", accesshash: "" };
    const password = Buffer.from(apiKey).toString("base64");
    const { billingCycle = "Monthly", productId, address, configOptions = {}, options = {} } = service;
    const params = JSON.stringify({
      configoption1: String(productId),
      customfields: { "IP Address": address },
      configoptions: configOptions,
      ...options,
    });
    const hosting = { id: SERVICE_ID, server: 1, nextduedate: "2027-01-31", billingcycle: billingCycle, params };
    const tables = {
      tblservers: tableOf({ ...server, password }),
      tblhosting: tableOf({ ...hosting, domainstatus: "Pending" }),
      tblproducts: tableOf({
        id: 7,
        name: "Panel license",
        servertype: "licensedesk",
        servergroup: 3,
        configoption1: String(productId),
      }),
      tblservergroupsrel: tableOf({ id: 1, groupid: 3, serverid: 1 }),
      tblcurrencies: tableOf({ id: 2, code: "USD" }),
      tblpricing: tableOf({
        ...{ id: 1, type: "product", currency: 2, relid: 7 },
        ...{ monthly: "1.00", msetupfee: "0.00", quarterly: "-1.00", qsetupfee: "0.00" },
      }),
      tbladdonmodules: tableOf({ id: 1, module: "licensedesk", setting: "daily", value: "" }),
      properties: { [SERVICE_ID]: {} },
      log: [],
    };
    writeFileSync(join(folder, "database.json"), JSON.stringify(tables));
    return new Panel(folder);
  }

  /** Runs a module function for the service; `post` is what a form sends. */
  run(command: string, post?: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#process({ run: command, service: SERVICE_ID, ...(post ? { post } : {}) });
  }

  /** The same on a page that somebody waits for. */
  runOnPage(command: string): Promise<unknown> {
    return servePanel(this.folder, { run: command, service: SERVICE_ID });
  }

  /** Calls a module function that is about the server. */
  // biome-ignore lint/suspicious/noExplicitAny: PHP arrays, as JSON.
  askServer(name: string): Promise<any> {
    return this.#process({ server: name });
  }

  cron(hook: "AfterCronJob" | "DailyCronJob" = "AfterCronJob"): Promise<unknown> {
    return this.#process({ hook });
  }

  /** Opens the addon's page, or sends its form. */
  async openAddon(markup: string, post?: Readonly<Record<string, string>>): Promise<string> {
    const addon = { markup, modulelink: "addonmodules.php?module=licensedesk" };
    return String(await this.#process({ addon, ...(post ? { post } : {}) }));
  }

  /** Renders what a module function returned. */
  async render({ templatefile, vars }: Page): Promise<string> {
    return String(await runPanel(this.folder, { template: templatefile, vars }, "render.php"));
  }

  read(): Database {
    return JSON.parse(readFileSync(join(this.folder, "database.json"), "utf8"));
  }

  status(): unknown {
    return this.read().tblhosting.rows[0]?.domainstatus;
  }

  properties(): Record<string, string> {
    return this.read().properties[SERVICE_ID] ?? {};
  }

  /** Changes the only row of a table, as staff does on a page. */
  change(table: "tblhosting" | "tblservers" | "tbladdonmodules" | "mod_licensedesk", columns: Row): void {
    const database = this.read();
    Object.assign(database[table].rows[0] ?? {}, columns);
    writeFileSync(join(this.folder, "database.json"), JSON.stringify(database));
  }

  addRow(table: "tbladdonmodules" | "tblhosting" | "tblservers" | "mod_licensedesk", row: Row): void {
    const database = this.read();
    database[table].rows.push(row);
    writeFileSync(join(this.folder, "database.json"), JSON.stringify(database));
  }

  changeParams(params: Row): void {
    const before = JSON.parse(String(this.read().tblhosting.rows[0]?.params));
    this.change("tblhosting", { params: JSON.stringify({ ...before, ...params }) });
  }

  #process(task: object): Promise<unknown> {
    return runPanel(this.folder, task);
  }
}

function tableOf(row: Row) {
  return { primary: "id", columns: Object.keys(row), rows: [row] };
}

/** The license that the panel shows, as the API answers it. */
export async function infoOf(reseller: Reseller, panel: Panel) {
  const license_id = Number(panel.properties()["License ID"]?.replace("lic_", ""));
  return (await reseller.dispatch.get("license.info", { license_id })).body.data;
}
