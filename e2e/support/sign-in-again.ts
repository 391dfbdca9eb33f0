import type { Locator, Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import type { TestUser } from "./dashboard.ts";

/** As when it has run out, or was ended elsewhere. */
export async function endSessions({ userId }: TestUser): Promise<void> {
  await getRuntime().db.prisma.session.updateMany({ where: { userId }, data: { revokedAt: new Date() } });
}

export const signInDialog = (page: Page) => page.getByRole("dialog", { name: "Sign in to continue" });

export async function signInAgain(dialog: Locator, { email, password }: TestUser): Promise<void> {
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
}
