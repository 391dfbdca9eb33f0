import { KeyRound, SearchX } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** `payable`: there is money to register one with. */
export function NoLicenses({ payable }: { readonly payable: boolean }) {
  return (
    <EmptyState
      action={
        <>
          {!payable && (
            <ButtonLink href="/wallet?top-up=" variant="primary">
              Top up first
            </ButtonLink>
          )}
          <ButtonLink href="/licenses/new" variant={payable ? "primary" : "secondary"}>
            Register your first license
          </ButtonLink>
          <ButtonLink href="/licenses/import">Import from CSV</ButtonLink>
        </>
      }
      description="A license binds a product to the address of a server. It is charged to your wallet and active within seconds."
      icon={<KeyRound aria-hidden />}
      title="No licenses yet"
    />
  );
}

/** `filtered`: a filter is the reason; otherwise it is a page beyond the end. */
export function NothingFound({ filtered }: { readonly filtered: boolean }) {
  return (
    <EmptyState
      action={<ButtonLink href="/licenses">{filtered ? "Clear filters" : "Show the newest"}</ButtonLink>}
      description={
        filtered
          ? "The search looks for what a key, an address, or a word in a host name or note begins with."
          : "The list has become shorter since this page was linked to."
      }
      icon={<SearchX aria-hidden />}
      title={filtered ? "No license matches" : "There is nothing on this page"}
    />
  );
}
