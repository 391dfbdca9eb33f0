import type { Database } from "./client.ts";

/** The database with another `query`. It is no part of a whole one unless `whole` says so. */
export function withQuery(db: Database, query: Database["query"], whole?: () => Database): Database {
  return {
    prisma: db.prisma,
    writeBehind: db.writeBehind,
    query,
    ...(whole && { whole }),
    begin: (writesInSafeMode) => db.begin(writesInSafeMode),
    reads: () => db.reads(),
    poolUse: () => db.poolUse(),
    close: () => db.close(),
  };
}
