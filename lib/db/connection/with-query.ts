import type { Database } from "./client.ts";

/** A copy of the database with another `query`. Without `shared`, it shares no cache and no batch with the original. */
export function withQuery(db: Database, query: Database["query"], shared?: () => Database): Database {
  return {
    prisma: db.prisma,
    writeBehind: db.writeBehind,
    query,
    ...(shared && { shared }),
    begin: (writesInSafeMode) => db.begin(writesInSafeMode),
    reads: () => db.reads(),
    poolUse: () => db.poolUse(),
    close: () => db.close(),
  };
}
