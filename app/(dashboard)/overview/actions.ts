"use server";
import { revalidatePath } from "next/cache";
import { findUser } from "#lib/dashboard/session.ts";
import { keepDismissal } from "./first-steps.ts";

export async function dismissFirstSteps(): Promise<void> {
  const user = await findUser();
  if (user === null) return;
  await keepDismissal(user.userId);
  revalidatePath("/overview");
}
