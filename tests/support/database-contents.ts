/** What a database has, by plain SQL. */
import { randomUUID } from "node:crypto";
import pg from "pg";

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export function runSql(url: string, text: string): Promise<pg.QueryResultRow[]> {
  return withClient(url, async (client) => (await client.query(text)).rows ?? []);
}

/** Row count and checksum of each table, but of backups' records, and the last value of each sequence. */
export function readContents(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname not in ('backups', '_prisma_migrations') order by 1`,
    );
    const contents: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as sum from "${name}" t`,
      );
      contents[name] = String(rows[0]?.sum);
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      "select sequencename as name, last_value::text as value from pg_sequences where sequencename <> 'backups_id_seq'",
    );
    for (const { name, value } of sequences) contents[name] = value;
    return contents;
  });
}

/** A database without any table, on the server of `url`. */
export async function createBareDatabase(url: string, options = ""): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `bare_${randomUUID().replaceAll("-", "")}`;
  await runSql(new URL("/postgres", url).href, `create database ${name} ${options}`);
  return {
    url: new URL(`/${name}`, url).href,
    drop: async () => {
      await runSql(new URL("/postgres", url).href, `drop database ${name} with (force)`);
    },
  };
}
