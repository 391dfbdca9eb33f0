import { cookies } from "next/headers";
import type { FirstStep } from "#components/overview/first-steps-card.tsx";
import type { FirstSteps } from "#lib/services/overview/get.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/** One for each user: people share browsers. */
const cookieName = (userId: number) => `first-steps-dismissed-${userId}`;

/** Nothing once all of it is done, or the user wants to see it no more. */
export async function listFirstSteps(done: FirstSteps, userId: number): Promise<readonly FirstStep[]> {
  if (Object.values(done).every(Boolean) || (await cookies()).has(cookieName(userId))) return [];
  return [
    {
      title: "Top up the wallet",
      detail: "Licenses are paid from it. Tell us what you have paid, and an administrator credits it.",
      action: "Request top-up",
      href: "/wallet?top-up=",
      done: done.topUp,
    },
    {
      title: "Register your first license",
      detail: "Choose a product and the server's address. The price is shown before anything is charged.",
      action: "Register license",
      href: "/licenses/new",
      done: done.license,
    },
    {
      title: "Create an API key",
      detail: "For your billing system or scripts, with only the rights they need. Costs nothing.",
      action: "Create key",
      href: "/api-keys/new",
      done: done.apiKey,
    },
    {
      title: "Add a webhook endpoint",
      detail: "Your systems learn about renewals, suspensions and expirations as they happen. Costs nothing.",
      action: "Add endpoint",
      href: "/webhooks/new",
      done: done.webhook,
    },
  ];
}

/** The account is the same for everybody; whether its first steps are shown is up to each user's browser. */
export async function keepDismissal(userId: number): Promise<void> {
  (await cookies()).set(cookieName(userId), "1", { httpOnly: true, maxAge: YEAR_S, path: "/", sameSite: "lax" });
}
