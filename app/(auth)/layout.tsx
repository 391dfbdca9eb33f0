import type { ReactNode } from "react";
import { PageAlone } from "#components/shell/page-alone.tsx";
import { takeVisitorTurn } from "#lib/dashboard/visitor.ts";

export default async function AuthLayout({ children }: { readonly children: ReactNode }) {
  await takeVisitorTurn();
  return <PageAlone>{children}</PageAlone>;
}
