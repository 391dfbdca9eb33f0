import { Plus } from "lucide-react";
import { ButtonLink, type ButtonLinkProps } from "#components/ui/button-link.tsx";
import { Allowed, type AllowedProps } from "./permissions.tsx";

export interface CreateLinkProps extends Pick<AllowedProps, "to">, Pick<ButtonLinkProps, "href" | "variant"> {
  readonly children: string;
}

/** A page's main button: to the form for a new one, for readers who may send it. */
export function CreateLink({ to, href, variant = "primary", children }: CreateLinkProps) {
  return (
    <Allowed to={to}>
      <ButtonLink href={href} icon={<Plus className="size-4" />} variant={variant}>
        {children}
      </ButtonLink>
    </Allowed>
  );
}
