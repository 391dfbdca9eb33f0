import { cookies } from "next/headers";
import type { FirstStep } from "#components/overview/first-steps-card.tsx";
import { may } from "#lib/dashboard/session.ts";
import type { Permission } from "#lib/domain/roles.ts";
import type { FirstSteps } from "#lib/services/overview/get.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/** One for each user: people share browsers. */
const cookieName = (userId: number) => `first-steps-dismissed-${userId}`;

/** Those that the user may take; nothing once all of it is done, or the user wants to see it no more. */
export async function listFirstSteps(done: FirstSteps, user: SignedInUser): Promise<readonly FirstStep[]> {
  if (Object.values(done).every(Boolean) || (await cookies()).has(cookieName(user.userId))) return [];
  const steps: readonly (FirstStep & { readonly permission: Permission })[] = [
    {
      title: "Top up the wallet",
      detail: "Licenses are paid from it. Tell us what you have paid, and an administrator credits it.",
      action: "Request top-up",
      href: "/wallet?top-up=",
      done: done.topUp,
      permission: "wallet:write",
    },
    {
      title: "Register your first license",
      detail: "Choose a product and the server's address. The price is shown before anything is charged.",
      action: "Register license",
      href: "/licenses/new",
      done: done.license,
      permission: "wallet:spend",
    },
    {
      title: "Create an API key",
      detail: "For your billing system or scripts, with only the rights they need. Costs nothing.",
      action: "Create key",
      href: "/api-keys/new",
      done: done.apiKey,
      permission: "keys:write",
    },
    {
      title: "Add a webhook endpoint",
      detail: "Your systems learn about renewals, suspensions and expirations as they happen. Costs nothing.",
      action: "Add endpoint",
      href: "/webhooks/new",
      done: done.webhook,
      permission: "webhooks:write",
    },
  ];
  return steps.filter(({ permission }) => may(user, permission)).map(({ permission: _, ...step }) => step);
}

/** The account is the same for everybody; whether its first steps are shown is up to each user's browser. */
export async function keepDismissal(userId: number): Promise<void> {
  (await cookies()).set(cookieName(userId), "1", { httpOnly: true, maxAge: YEAR_S, path: "/", sameSite: "lax" });
}
