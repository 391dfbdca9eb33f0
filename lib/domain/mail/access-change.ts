import { z } from "zod";
import { adminRoles, resellerRoles, roleNames } from "#lib/domain/roles.ts";
import { unlinked } from "#lib/domain/text.ts";
import { facts, link, minuteText, text } from "./blocks.ts";
import type { MailContent } from "./render.ts";

interface AccessChange {
  /** Completes "An owner …"; of the message to the owners. */
  readonly title: string;
  /** Of the message to the person; null: an invitation or their own sign-in tells them. */
  readonly person: {
    /** Completes "Somebody … ." */
    readonly told: string;
    /** What the person can do. */
    readonly next: string;
  } | null;
}

/** Changes to a person's access by somebody else, which `tell_of_access_change.sql` reports. */
const accessChanges = {
  added: { title: "was added", person: null },
  role: {
    title: "has a new role",
    person: {
      told: "changed your role",
      next: "It applies from your next page on. If you did not expect it, ask an owner or an administrator.",
    },
  },
  disabled: {
    title: "was disabled",
    person: {
      told: "disabled your account and ended your sessions",
      next: "You can no longer sign in. If you did not expect it, ask an owner or an administrator.",
    },
  },
  enabled: {
    title: "was enabled",
    person: {
      told: "enabled your account again",
      next: "You can sign in as before. If you did not expect it, ask an owner or an administrator.",
    },
  },
  password: {
    title: "got a one-time password",
    person: {
      told: "replaced your password with a one-time password and ended your sessions",
      next: "Whoever did it has the one-time password. If you did not ask for it, tell an owner or an administrator at once: somebody may sign in as you.",
    },
  },
  factors: {
    title: "lost two-step sign-in",
    person: {
      told: "removed your passkeys, your authenticator app and your recovery codes, and ended your sessions",
      next: "Your password alone now signs you in: set up two-step sign-in again. If you did not ask for this, also change your password and tell an owner or an administrator.",
    },
  },
  issuer: {
    title: "was disconnected from single sign-on",
    person: {
      told: "disconnected your account from single sign-on and ended your sessions",
      next: "Your next sign-in there connects it again. If you did not expect it, ask an owner or an administrator.",
    },
  },
} satisfies Record<string, AccessChange>;

export type AccessChangeName = keyof typeof accessChanges;

export const accessChangeData = z.object({
  name: z.string(),
  email: z.string(),
  /** Null: an administrator. */
  organization: z.string().nullable(),
  change: z.enum(Object.keys(accessChanges) as AccessChangeName[]),
  role: z.enum(roleNames),
  /** Somebody of the same team; null: an administrator of the installation. */
  by: z.string().nullable(),
  at: z.iso.datetime({ offset: true }),
});
type AccessChangeData = z.output<typeof accessChangeData>;

/** To the person. */
export function accessChanged(data: AccessChangeData, publicUrl: string): MailContent {
  const { name, organization, change, role, at } = data;
  const { person, title } = accessChanges[change];
  if (person === null) throw new Error(`no message tells a person that their account ${title}`);
  return {
    subject: "Your access to License Desk was changed",
    blocks: [
      text(`Hello ${unlinked(name)},`),
      text(`${authorOf(data)} ${person.told}.`),
      facts(...teamOf(data), ["Role", roleTitle(role, organization)], ["Time", minuteText(at)]),
      text(person.next),
      ...(change === "disabled" ? [] : [link("Open the settings", `${publicUrl}/settings`)]),
    ],
  };
}

/** To the owners of the team, or of the installation. */
export function teamAccessChanged(data: AccessChangeData, publicUrl: string): MailContent {
  const { name, email, organization, change, role, at } = data;
  const summary = `${organization === null ? "An administrator" : "An owner"} ${accessChanges[change].title}`;
  return {
    subject: summary,
    blocks: [
      text(`${summary}.`),
      facts(
        ...teamOf(data),
        ["User", `${unlinked(name)} (${email})`],
        ["Role", roleTitle(role, organization)],
        ["By", authorOf(data)],
        ["Time", minuteText(at)],
      ),
      text("If you did not expect it, ask them, and look at the audit log."),
      link("Review the users", `${publicUrl}${organization === null ? "/users" : "/settings/team"}`),
    ],
  };
}

function teamOf({ organization }: AccessChangeData): readonly (readonly [string, string])[] {
  return organization === null ? [] : [["Team", organization]];
}

/** What a role is called. `organization` null: of an administrator. */
export function roleTitle(role: (typeof roleNames)[number], organization: string | null): string {
  const roles: Readonly<Record<string, { readonly name: string } | undefined>> =
    organization === null ? adminRoles : resellerRoles;
  return roles[role]?.name ?? role;
}

function authorOf({ by }: AccessChangeData): string {
  return by === null ? "An administrator" : unlinked(by);
}
