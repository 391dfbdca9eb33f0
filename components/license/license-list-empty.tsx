import { KeyRound } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** `payable`: there is money to register one with; null: the reader does not spend it. */
export function NoLicenses({ payable }: { readonly payable: boolean | null }) {
  return (
    <EmptyState
      action={
        payable !== null && (
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
        )
      }
      description="A license binds a product to the address of a server. It is charged to your wallet and active within seconds."
      icon={<KeyRound />}
      title="No licenses yet"
    />
  );
}
