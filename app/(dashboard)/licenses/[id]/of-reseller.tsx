import type { ReactNode } from "react";
import { actAs } from "#app/(dashboard)/resellers/[id]/settings/actions.ts";
import { ViewedResellerProvider } from "#components/shell/viewed-reseller.tsx";
import { getReseller } from "#lib/services/reseller/get.ts";
import type { ShownLicense } from "./find.ts";

interface OfResellerProps {
  readonly of: Pick<ShownLicense, "ctx" | "viewed">;
  readonly children: ReactNode;
}

/** Around a license's pages: what an admin does there names the reseller. */
export async function OfReseller({ of: { ctx, viewed }, children }: OfResellerProps) {
  const { resellerId } = viewed;
  const reseller =
    resellerId === undefined
      ? null
      : { id: resellerId, name: (await getReseller(ctx)).name, actAs: actAs.bind(null, { resellerId }) };
  return <ViewedResellerProvider reseller={reseller}>{children}</ViewedResellerProvider>;
}
