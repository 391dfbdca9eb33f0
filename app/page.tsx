import { redirect } from "next/navigation";
import { requireUser } from "#lib/dashboard/session.ts";
import { homeOf } from "./home.ts";

/** Everybody begins where their work is. */
export default async function StartPage(): Promise<never> {
  const user = await requireUser();
  redirect(homeOf(user));
}
