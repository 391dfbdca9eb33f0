import type { ReactNode } from "react";
import { cx } from "#components/ui/cx.ts";
import { Logo } from "./logo.tsx";

export interface PageAloneProps {
  /** For a message, not a form. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One thing in the middle of a page without the shell, slightly above its center. */
export function PageAlone({ wide = false, children }: PageAloneProps) {
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto_1.6fr] justify-items-center px-4 py-8">
      <div />
      <div className={cx("flex w-full flex-col gap-6", wide ? "max-w-md" : "max-w-88")}>
        <div className="self-center">
          <Logo />
        </div>
        {children}
      </div>
    </main>
  );
}
