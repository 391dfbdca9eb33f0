import { ShieldAlert } from "lucide-react";

/** On every page in safe mode: on a copy of another deployment's database, or when the operator chose it. */
export function SafeModeBanner() {
  return (
    <section aria-label="Safe mode" className="border-b border-caution/40 bg-caution-soft text-sm">
      <p className="mx-auto flex min-h-10 max-w-6xl items-center gap-2 px-4 py-1 md:px-8">
        <ShieldAlert aria-hidden className="size-4 shrink-0 text-caution" />
        <span>
          <strong className="font-semibold">Safe mode.</strong> You can look at everything; nothing is changed, renewed
          or sent.
          <span className="text-text-muted max-lg:hidden">
            {" "}
            An operator ends it with <code className="font-mono">admin deployment resume</code>.
          </span>
        </span>
      </p>
    </section>
  );
}
