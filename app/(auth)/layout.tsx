import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";

/** One short form in the middle of the page, slightly above its center. */
export default function AuthLayout({ children }: { readonly children: ReactNode }) {
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto_1.6fr] justify-items-center px-4 py-8">
      <div />
      <div className="flex w-full max-w-88 flex-col gap-6">
        <div className="self-center">
          <Logo />
        </div>
        {children}
      </div>
    </main>
  );
}
