import type { ReactNode } from "react";
import { PageAlone } from "#components/shell/page-alone.tsx";

export default function AuthLayout({ children }: { readonly children: ReactNode }) {
  return <PageAlone>{children}</PageAlone>;
}
