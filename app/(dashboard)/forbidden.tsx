import { Lock } from "lucide-react";
import { HomeLink } from "#app/home-link.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { HiddenTitle } from "#components/ui/page-title.tsx";
import { findUser, type PageOwner, refusedPage, roleNameOf } from "#lib/dashboard/session.ts";

/** Of pages that belong to others than who asked. */
const others = {
  reseller: {
    title: "This page belongs to resellers",
    description: "You are an administrator. To open a reseller's page, choose the reseller and act as it.",
    action: <ButtonLink href="/resellers">View resellers</ButtonLink>,
  },
  admin: {
    title: "This page belongs to administrators",
    description: "You are signed in as a reseller's user. Ask the operator of this License Desk.",
    action: <HomeLink />,
  },
  person: {
    title: "These settings are your own",
    description: "You act as a reseller now. Stop acting, then open them again.",
    action: <HomeLink />,
  },
} as const satisfies Record<PageOwner, object>;

export default async function Forbidden() {
  const user = await findUser();
  const { owner } = refusedPage();
  const granter =
    user?.kind === "reseller" && user.actingAs === null
      ? "an owner of your team"
      : "an owner among your administrators";
  const own = {
    title: "Your role does not allow this",
    description: `${user ? `Your role is ${roleNameOf(user)}. ` : ""}Ask ${granter} for access.`,
    action: <HomeLink />,
  };
  return (
    <Card flush>
      <HiddenTitle>Not allowed</HiddenTitle>
      <EmptyState {...(owner === null ? own : others[owner])} icon={<Lock />} />
    </Card>
  );
}
