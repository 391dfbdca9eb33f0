/** Records failures and successes for the operator's log. */
export interface FailureWatch {
  /** `kind`: a code such as ECONNREFUSED, never a message, which may contain a secret. */
  failed(kind: string): void;
  succeeded(): void;
}
