import { LogIn } from "lucide-react";
import { buttonClassName } from "#components/ui/button-style.ts";
import { cx } from "#components/ui/cx.ts";

export interface IssuerLinkProps {
  /** The issuer's name. */
  readonly issuer: string;
  /** The page to open afterwards; null: to prove who the user is. */
  readonly next: string | null;
  /** In a new tab, so that what is filled in here stays. */
  readonly newTab?: boolean;
  readonly label?: string;
  readonly primary?: boolean;
}

/** Signs in at the issuer. No `Link`, which would start it ahead of time. */
export function IssuerLink(props: IssuerLinkProps) {
  const { issuer, next, newTab = false, label = `Continue with ${issuer}`, primary = false } = props;
  const asked = next === null ? "prove=1" : `next=${encodeURIComponent(next)}`;
  return (
    <a
      className={cx(buttonClassName(primary ? "primary" : "secondary", "md"), "w-full")}
      href={`/api/auth/oidc?${asked}`}
      {...(newTab ? { target: "_blank", rel: "noopener" } : {})}
    >
      <LogIn className="size-4" />
      {label}
    </a>
  );
}
