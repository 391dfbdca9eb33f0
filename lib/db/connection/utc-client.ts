import pg from "pg";

/** Of `pg`, missing from its types: the parameters of the startup message. */
interface Startup {
  getStartupConf(): Record<string, string>;
}

const Client = pg.Client as unknown as new (config?: string | pg.ClientConfig) => pg.Client & Startup;

/**
 * A connection whose session is in UTC, which days and months added to a time, days of times, and Prisma's times depend
 * on. Set by its own parameter instead of `options`: poolers keep this one for each client, in every transaction.
 */
export class UtcClient extends Client {
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: "UTC" };
  }
}
