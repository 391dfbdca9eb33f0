import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { findUser, roleNameOf } from "#lib/dashboard/session.ts";

export const metadata: Metadata = { title: "Not allowed" };

export default async function Forbidden() {
  const user = await findUser();
  const granter =
    user?.kind === "reseller" && user.actingAs === null ? "An owner of your team" : "An owner among the admins";
  return (
    <Card flush>
      <h1 className="sr-only">Not allowed</h1>
      <EmptyState
        action={<ButtonLink href="/">Go to the start page</ButtonLink>}
        description={`${user ? `Your role is ${roleNameOf(user)}. ` : ""}${granter} can change it.`}
        icon={<Lock aria-hidden />}
        title="Your role does not allow this"
      />
    </Card>
  );
}
