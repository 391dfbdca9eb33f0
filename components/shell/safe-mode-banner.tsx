import { ShieldAlert } from "lucide-react";
import { ModeBanner } from "./mode-banner.tsx";

/** On every page in safe mode: on a copy of another deployment's database, or when the operator chose it. */
export function SafeModeBanner({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <ModeBanner icon={ShieldAlert} label="Safe mode">
      <strong className="font-semibold">Safe mode.</strong> You can look at everything, but every change is refused, and
      nothing is renewed or sent.
      <span className="text-text-muted max-lg:hidden">
        {isAdmin ? (
          <>
            {" "}
            An operator turns it off with <code className="font-mono">admin deployment resume</code>.
          </>
        ) : (
          " Only the operator of this License Desk can turn it off."
        )}
      </span>
    </ModeBanner>
  );
}
