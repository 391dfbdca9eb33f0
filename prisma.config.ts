import { defineConfig } from "prisma/config";

/** For Prisma's own commands (`prisma migrate deploy`, `prisma studio`); the program itself does not read it. */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
