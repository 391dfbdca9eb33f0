/** The floor: Node and PostgreSQL alone, for one look-up by unique key. */
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const { license_key } = JSON.parse(Buffer.concat(chunks).toString());
    const { rows } = await pool.query({
      name: "floor",
      text: "select id, ip_address, expires_at from licenses where key = $1",
      values: [license_key],
    });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rows[0]));
  });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
