import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

export interface ErrorStateProps {
  /** What happened. */
  readonly title: string;
  /** What to do now, and what did not happen ("Nothing was charged."). */
  readonly description?: ReactNode;
  /** For support; can be copied. */
  readonly requestId?: string;
  /** The same where no request's ID is known: under this the log has the error. */
  readonly errorId?: string;
  /** E.g. a "Try again" button. */
  readonly action?: ReactNode;
}

export function ErrorState({ title, description, requestId, errorId, action }: ErrorStateProps) {
  const id = requestId ?? errorId;
  return (
    <div className="flex items-start gap-3 rounded-lg border border-critical/30 bg-critical-soft p-4" role="alert">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-critical" />
      <div className="flex min-w-0 flex-col items-start gap-1 text-sm">
        <p className="font-medium">{title}</p>
        {description && <div className="text-text-muted">{description}</div>}
        {id && (
          <p className="flex max-w-full items-center gap-1 text-text-muted">
            {requestId ? "Request" : "Error"} <code className="truncate font-mono text-xs">{id}</code>
            <CopyButton label={requestId ? "Copy request ID" : "Copy error ID"} value={id} />
          </p>
        )}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}
