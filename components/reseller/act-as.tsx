"use client";
import { Eye } from "lucide-react";
import type { ReactNode } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ActAsProps {
  readonly name: string;
  readonly action: OnceAction<undefined>;
}

/**
 * A button, and the question before an admin sees what a reseller sees. `path`: the page of the reseller that was looked
 * for, which asks at once; null: none.
 */
export function ActAs({ path, ...props }: ActAsProps & { readonly path: string | null }) {
  return (
    <DialogButton icon={<Eye />} label="Act as" askedBy={path && "open"}>
      {(onClose, asked) => <ActAsDialog {...props} href={(asked && path) ?? "/"} onClose={onClose} />}
    </DialogButton>
  );
}

interface ActAsDialogProps extends ActAsProps {
  /** The reseller's page that it begins at. */
  readonly href?: string;
  readonly onClose: () => void;
}

export function ActAsDialog({ name, action, href = "/", onClose }: ActAsDialogProps) {
  const actAsShown = (_: object, key?: string) => action(undefined, key);
  const form = useForm(actAsShown, () => {
    // A page load, not a navigation: nothing of the admin's pages stays in memory.
    window.location.assign(href);
    return true;
  });
  return (
    <ConfirmForm
      confirmLabel="Act as this reseller"
      description={`${href === "/" ? "You see this reseller's dashboard and can" : "To open that page, act as the reseller: you can"} do what its users can, for an hour or until you stop. Charges go to its wallet, and what you change is logged under your name.`}
      form={form}
      onClose={onClose}
      refusalNote="You are still signed in as yourself."
      title={`Act as ${name}?`}
    />
  );
}

export interface ResellersLinkProps {
  readonly href: string;
  /** Looks like a button. */
  readonly button?: true;
  readonly children: ReactNode;
}

/** Leads to a page that only the reseller has. An admin who views the reseller acts as it to get there. */
export function ResellersLink({ href, button, children }: ResellersLinkProps) {
  const viewed = useViewedReseller();
  if (viewed === null && button) {
    return (
      <ButtonLink href={href} size="sm">
        {children}
      </ButtonLink>
    );
  }
  if (viewed === null) {
    return <TextLink href={href}>{children}</TextLink>;
  }
  return (
    <DialogButton
      icon={<Eye />}
      label={
        <>
          {children}
          <span className="sr-only">, acting as {viewed.name}</span>
        </>
      }
      size="sm"
      variant={button ? "secondary" : "link"}
    >
      {(onClose) =>
        viewed.actAs && <ActAsDialog action={viewed.actAs} href={href} name={viewed.name} onClose={onClose} />
      }
    </DialogButton>
  );
}
