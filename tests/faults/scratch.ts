import { createTestDatabase } from "#tests/database.ts";
import { type Desk, openDesk } from "./desk.ts";

/** Runs something on a temporary database. */
export async function onScratchDesk<Result>(run: (desk: Desk) => Promise<Result>): Promise<Result> {
  const database = await createTestDatabase();
  try {
    const desk = await openDesk(database.url);
    try {
      return await run(desk);
    } finally {
      await desk.close();
    }
  } finally {
    await database.drop();
  }
}
