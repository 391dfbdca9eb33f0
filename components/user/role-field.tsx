"use client";
import { useState } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { adminRoleNames, adminRoles, type Role, resellerRoleNames, resellerRoles } from "#lib/domain/roles.ts";

export interface RoleFieldProps {
  readonly kind: "admin" | "reseller";
  readonly initial: Role;
}

export function RoleField({ kind, initial }: RoleFieldProps) {
  const [role, setRole] = useState<string>(initial);
  return <ChoiceCards choices={choices[kind]} legend="Role" name="role" onChange={setRole} value={role} />;
}

/** The role that may do the least comes first, where it is seen as the one that is chosen for a new user. */
const choices = {
  admin: adminRoleNames
    .map((value) => ({ value, label: adminRoles[value].name, detail: adminRoles[value].summary }))
    .toReversed(),
  reseller: resellerRoleNames
    .map((value) => ({ value, label: resellerRoles[value].name, detail: resellerRoles[value].summary }))
    .toReversed(),
} as const;
