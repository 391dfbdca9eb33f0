import type { Database } from "#lib/db/connection/client.ts";
import { listLicensePage } from "#lib/db/license/list.ts";
import { findCustomers } from "#lib/db/search/customer.ts";
import { MAX_FOUND } from "#lib/db/search/found.ts";
import { findEventById, findOperationById, findRequest } from "#lib/db/search/log.ts";
import { findApiKeys, findEndpoints, findResellers, findUsers } from "#lib/db/search/people.ts";
import { findBundleInstances, readFoundLicenses } from "#lib/db/search/units.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { keptMs } from "#lib/domain/retention.ts";
import type { ResellerPermission } from "#lib/domain/roles.ts";
import { hasPermission, requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type SearchQuery, toSearchQuery } from "./query.ts";

interface Search {
  readonly db: Database;
  /** Null: of any reseller, for an admin. */
  readonly resellerId: ResellerId | null;
  readonly query: NonNullable<SearchQuery>;
  readonly now: Date;
}

const DAY_MS = 86_400_000;

/** What is searched for, by kind: null for what only admins find, and what each kind requires of a reseller's user. */
const searchKinds = {
  license: { permission: "licenses:read", find: findLicenses },
  customer: {
    permission: "licenses:read",
    find: ({ db, resellerId, query }: Search) => findCustomers(db, resellerId, query.text),
  },
  bundle: {
    permission: "bundles:read",
    find: ({ db, resellerId, query }: Search) =>
      findBundleInstances(db, resellerId, {
        id: query.bundleInstanceId,
        address: query.address,
        patterns: query.bundleInstanceId === null ? query.patterns : [],
      }),
  },
  reseller: {
    permission: null,
    find: ({ db, query }: Search) => findResellers(db, { id: query.number, patterns: query.patterns }),
  },
  user: {
    permission: "team:read",
    find: ({ db, resellerId, query }: Search) => findUsers(db, resellerId, query.patterns),
  },
  apiKey: {
    permission: "keys:read",
    find: ({ db, resellerId, query }: Search) =>
      findApiKeys(db, resellerId, { patterns: query.patterns, hint: query.keyHint }),
  },
  endpoint: {
    permission: "webhooks:read",
    find: ({ db, resellerId, query }: Search) =>
      findEndpoints(db, resellerId, { patterns: query.patterns, id: query.endpointId }),
  },
  request: {
    permission: "keys:read",
    find: async ({ db, resellerId, query, now }: Search) => {
      const period = {
        from: new Date(now.getTime() - keptMs("apiRequests")),
        until: new Date(now.getTime() + DAY_MS),
      };
      return query.requestId === null ? [] : findRequest(db, resellerId, query.requestId, period);
    },
  },
  event: {
    permission: "webhooks:read",
    find: async ({ db, resellerId, query }: Search) =>
      query.eventId === null ? [] : findEventById(db, resellerId, query.eventId),
  },
  operation: {
    permission: "licenses:read",
    find: async ({ db, resellerId, query }: Search) =>
      query.operationId === null ? [] : findOperationById(db, resellerId, query.operationId),
  },
} as const satisfies Record<
  string,
  { readonly permission: ResellerPermission | null; readonly find: (search: Search) => Promise<readonly object[]> }
>;

export type SearchKind = keyof typeof searchKinds;
export const searchKindNames = Object.keys(searchKinds) as readonly SearchKind[];

export type FoundObject = {
  [Kind in SearchKind]: {
    readonly kind: Kind;
    readonly object: Awaited<ReturnType<(typeof searchKinds)[Kind]["find"]>>[number];
  };
}[SearchKind];

/** The newest by words; first the one that is named by its id. */
async function findLicenses({ db, resellerId, query, now }: Search) {
  const page = { filter: { text: query.text }, order: "newest", after: null, limit: MAX_FOUND, now } as const;
  const listed = await listLicensePage(db, resellerId, page);
  const ids = [...(query.licenseId === null ? [] : [query.licenseId]), ...listed.map(({ id }) => id)];
  return (await readFoundLicenses(db, resellerId, [...new Set(ids)])).slice(0, MAX_FOUND);
}

interface SearchInput {
  readonly text: string;
}

/** Objects of the reseller that the user may see, by kind, at most six of each. */
export async function searchOwnObjects(ctx: ServiceContext, input: SearchInput): Promise<readonly FoundObject[]> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  const isActing = ctx.actor.kind === "reseller_user" && ctx.actor.actingAdmin === true;
  const kinds = searchKindNames.filter((kind) => {
    const { permission } = searchKinds[kind];
    // An admin who acts as a reseller does not see its team.
    return permission !== null && hasPermission(ctx, permission) && !(kind === "user" && isActing);
  });
  return searchFor(ctx, kinds, { resellerId, text: input.text });
}

/** Objects of any reseller, for admins. Test mode is not searched. */
export async function searchAllObjects(ctx: ServiceContext, input: SearchInput): Promise<readonly FoundObject[]> {
  requireAdmin(ctx, "admin:read");
  return searchFor(ctx, searchKindNames, { resellerId: null, text: input.text });
}

async function searchFor(
  ctx: ServiceContext,
  kinds: readonly SearchKind[],
  { text, resellerId }: SearchInput & { readonly resellerId: ResellerId | null },
): Promise<readonly FoundObject[]> {
  const query = toSearchQuery(text);
  if (query === null) return [];
  const search = { db: await ctx.db.reads(), resellerId, query, now: ctx.now() };
  const found = await Promise.all(
    (query.isBundle ? kinds.toSorted((a, b) => Number(b === "bundle") - Number(a === "bundle")) : kinds).map(
      async (kind) => {
        const objects = await searchKinds[kind].find(search);
        return objects.map((object) => ({ kind, object }) as FoundObject);
      },
    ),
  );
  return found.flat();
}
