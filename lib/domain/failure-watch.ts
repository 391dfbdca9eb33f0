/** Counts what fails and what succeeds, for the operator's log. */
export interface FailureWatch {
  /** `kind`: a code such as ECONNREFUSED. Never a message, which may quote a secret. */
  failed(kind: string): void;
  succeeded(): void;
}
