import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import type { Database } from "#lib/db/connection/client.ts";

const DAY_MS = 86_400_000;

/** Signs a user in without the form: a session row, and its cookie under this process's NEXTAUTH_SECRET. */
export async function createSessionCookie(
  db: Database,
  user: { readonly userId: number; readonly email: string },
): Promise<{ readonly name: string; readonly value: string }> {
  const inADay = new Date(Date.now() + DAY_MS);
  const { id: sessionId } = await db.prisma.session.create({
    data: { id: randomUUID(), userId: user.userId, expiresAt: inADay, idleAt: inADay },
    select: { id: true },
  });
  const secret = process.env.NEXTAUTH_SECRET;
  if (secret === undefined) throw new Error("NEXTAUTH_SECRET is not set.");
  const value = await encode({ token: { sessionId, sub: sessionId, email: user.email }, secret });
  return { name: "license-desk.session-token", value };
}
