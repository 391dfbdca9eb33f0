interface RenewedTerm {
  readonly pending: boolean;
  readonly newExpiry: Date;
  readonly balanceAfter: bigint;
  readonly operation: { readonly currency: string };
}

/** The answer of a renewal, which is stored as JSON under its idempotency key. */
export function toRenewed({ pending, newExpiry, balanceAfter, operation }: RenewedTerm) {
  return {
    /** The provider has not confirmed it yet. */
    pending,
    newExpiry: newExpiry.toISOString(),
    balanceAfter: balanceAfter.toString(),
    currency: operation.currency,
  };
}
