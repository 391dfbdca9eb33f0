import { type Pending, type WaitOptions, waitUntilSettled } from "./pending.ts";
import { type Operations, operations } from "./schema.ts";
import {
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  createTransport,
  DEFAULT_TIMEOUT_MS,
  isDispatch,
  type OperationId,
  type Params,
} from "./transport.ts";
import type { WebhookEvent } from "./webhook.ts";

/** A final outcome: `status` is never "pending". */
type Settled<Result> = Result extends { readonly status: infer Status }
  ? Omit<Result, "status"> & { readonly status: Exclude<Status, "pending"> }
  : Result & { readonly status?: undefined };

/** What a change charges, which a preview has in place of its result. */
type Preview = { readonly dry_run: true };

/** The result of an operation, or of its change. */
type ResultOf<Id extends OperationId> = Exclude<Operations[Id]["result"], Preview>;

/** What a call resolves to. `status === "pending"` narrows a change to one whose outcome is open. */
type Outcome<Id extends OperationId> = [Operations[Id]["pending"]] extends [never]
  ? ResultOf<Id>
  : Settled<ResultOf<Id>> | Pending<Operations[Id]["pending"], Settled<ResultOf<Id>>>;

type OptionsOf<Id extends OperationId> = (typeof operations)[Id]["takesKey"] extends true ? ChangeOptions : CallOptions;

/** Without `dry_run`: `preview` sends it. */
type ParamsOf<Id extends OperationId> = Omit<Operations[Id]["params"], "dry_run">;

type Method<Id extends OperationId> =
  Record<never, never> extends ParamsOf<Id>
    ? (params?: ParamsOf<Id>, options?: OptionsOf<Id>) => Promise<Outcome<Id>>
    : (params: ParamsOf<Id>, options?: OptionsOf<Id>) => Promise<Outcome<Id>>;

type PreviewMethod<Id extends OperationId> = (
  params: ParamsOf<Id>,
  options?: CallOptions,
) => Promise<Extract<Operations[Id]["result"], Preview>>;

type ListedLicense = Operations["licenseList"]["result"]["licenses"][number];
type EventRow = Operations["events"]["result"]["events"][number];
type ListedEvent = Pick<EventRow, "id" | "license_id"> & WebhookEvent;

const PAGE_SIZE = 100;

/** Both interfaces of the API. Names of parameters and fields are the API's. */
export class LicenseDesk {
  readonly licenses;
  readonly bundles;
  readonly operations;
  readonly diagnostics;
  readonly webhookEndpoints;
  readonly events;
  readonly balance;
  readonly products;
  /** The calling key, its reseller and limits. */
  readonly me;

  constructor(options: ClientOptions) {
    const method = createMethods(options);
    /** Prices a change, and changes nothing. */
    const preview = <Id extends OperationId>(id: Id) => {
      const send = method(id) as (params: Params, options?: CallOptions) => Promise<unknown>;
      return ((params, options) => send({ ...params, dry_run: true }, options)) as PreviewMethod<Id>;
    };
    const licensePage = method("licenseList");
    const eventPage = method("events");
    this.licenses = {
      register: method("licenseRegister"),
      renew: method("licenseRenew"),
      changeIp: method("licenseChangeIp"),
      changeCores: method("licenseChangeCore"),
      suspend: method("licenseSuspend"),
      unsuspend: method("licenseUnsuspend"),
      terminate: method("licenseTerminate"),
      terminateByKey: method("licensesTerminate"),
      setAutoRenew: method("licenseSetAutoRenew"),
      setAutoRenewByKey: method("licensesSetAutoRenew"),
      setLabels: method("licenseSetLabels"),
      info: method("licenseInfo"),
      preview: {
        register: preview("licenseRegister"),
        renew: preview("licenseRenew"),
        changeCores: preview("licenseChangeCore"),
      },
      status: method("licenseStatus"),
      verify: method("licenseVerify"),
      update: method("licenseUpdate"),
      /** Every license, oldest first; `limit` is the size of a page. */
      list: (params: ParamsOf<"licenseList"> = {}, options?: CallOptions): AsyncGenerator<ListedLicense, void> =>
        iterate(params, async (page) => {
          const { licenses, next_cursor } = await licensePage(page, options);
          return { items: licenses, next_cursor };
        }),
      page: licensePage,
      /** Id, product, status, end and server of each; without `limit` of all. */
      summaries: method("licenses"),
    };
    this.bundles = {
      /** The bundles on sale. */
      onSale: method("bundles"),
      register: method("bundleRegister"),
      renew: method("bundleRenew"),
      changeIp: method("bundleChangeIp"),
      info: method("bundleInfo"),
      preview: { register: preview("bundleRegister"), renew: preview("bundleRenew") },
    };
    this.operations = { get: method("operationsGet"), info: method("operationInfo") };
    this.diagnostics = { get: method("diagnostics"), report: method("diagnosticsReport") };
    this.webhookEndpoints = {
      list: method("webhookEndpoints"),
      create: method("webhookEndpointsCreate"),
      get: method("webhookEndpointsGet"),
      update: method("webhookEndpointsUpdate"),
      delete: method("webhookEndpointsDelete"),
      rotateSecret: method("webhookEndpointsRotateSecret"),
      verify: method("webhookEndpointsVerify"),
      test: method("webhookEndpointsTest"),
    };
    this.events = {
      /** Every event of 30 days, newest first; `limit` is the size of a page. */
      list: (params: ParamsOf<"events"> = {}, options?: CallOptions): AsyncGenerator<ListedEvent, void> =>
        iterate(params, async (page) => {
          const { events, next_cursor } = await eventPage(page, options);
          return { items: events as unknown as readonly ListedEvent[], next_cursor };
        }),
      page: eventPage,
      get: method("eventsGet"),
      resend: method("eventsResend"),
    };
    this.balance = method("balance");
    this.products = method("products");
    this.me = { get: method("meGet"), info: method("me") };
  }
}

function createMethods(client: ClientOptions) {
  const transport = createTransport(client);
  const dataOf = (id: OperationId, body: unknown) =>
    isDispatch(id) ? (body as { data: Params }).data : (body as Params);

  async function call(id: OperationId, params: Params, options: ChangeOptions): Promise<unknown> {
    const change = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() };
    const answer = await transport(id, params, change);
    const data = dataOf(id, answer.body);
    if (answer.status !== 202 || !operations[id].canBePending) return data;
    const { idempotencyKey } = change;
    return {
      ...data,
      status: "pending",
      idempotencyKey,
      settled: async (wait: WaitOptions = {}) => {
        const repeat = (longestMs: number) => {
          const timeoutMs = Math.min(longestMs, change.timeoutMs ?? client.timeoutMs ?? DEFAULT_TIMEOUT_MS);
          const signal = wait.signal ? { signal: wait.signal } : {};
          return transport(id, params, { ...change, ...signal, timeoutMs, maxRetries: 0 }, true);
        };
        return dataOf(id, (await waitUntilSettled(repeat, idempotencyKey, wait)).body);
      },
    };
  }

  return <Id extends OperationId>(id: Id) =>
    ((params: Params = {}, options: ChangeOptions = {}) => call(id, params, options)) as Method<Id>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string | null | undefined;
}

async function* iterate<Item, P extends { readonly limit?: number; readonly cursor?: string }>(
  params: P,
  fetchPage: (params: P) => Promise<Page<Item>>,
): AsyncGenerator<Item, void> {
  for (let page: P = { limit: PAGE_SIZE, ...params }; ; ) {
    const { items, next_cursor } = await fetchPage(page);
    yield* items;
    if (next_cursor == null) return;
    page = { ...page, cursor: next_cursor };
  }
}
