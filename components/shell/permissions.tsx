"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { Permission } from "#lib/domain/roles.ts";

const Permissions = createContext<readonly Permission[]>([]);

export interface PermissionsProviderProps {
  /** The reader's own. The server checks them again. */
  readonly permissions: readonly Permission[];
  readonly children: ReactNode;
}

export function PermissionsProvider({ permissions, children }: PermissionsProviderProps) {
  return <Permissions value={permissions}>{children}</Permissions>;
}

export function usePermissions(): readonly Permission[] {
  return useContext(Permissions);
}

/** True without a permission: what everyone may. */
export function usePermission(permission: Permission | undefined): boolean {
  const permissions = usePermissions();
  return permission === undefined || permissions.includes(permission);
}

export interface AllowedProps {
  readonly to: Permission;
  /** For other readers. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** Shows buttons only to readers who may press them. */
export function Allowed({ to, fallback = null, children }: AllowedProps) {
  return usePermission(to) ? children : fallback;
}
