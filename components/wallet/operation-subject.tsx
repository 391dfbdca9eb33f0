import { TextLink } from "#components/ui/text-link.tsx";
import { findSubject, type OperationSubject } from "./ledger-entry.ts";

export interface SubjectLinkProps {
  readonly of: OperationSubject;
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
}

/** The subject's name, and in small type its id. */
export function SubjectLink({ of, linked }: SubjectLinkProps) {
  const subject = findSubject(of);
  if (subject === null) return null;
  const { id, name, href } = subject;
  return (
    <span className="wrap-anywhere">
      {linked ? <TextLink href={href}>{name}</TextLink> : name}{" "}
      <span className="whitespace-nowrap text-text-muted text-xs">{id}</span>
    </span>
  );
}

interface SubjectLinesProps extends SubjectLinkProps {
  readonly what: string;
  readonly detail?: string;
}

/** An entry of the wallet: what was done, to what, and what was noted about it. */
export function SubjectLines({ what, detail = "", ...subject }: SubjectLinesProps) {
  return (
    <span className="block min-w-0 py-0.5">
      <span className="block font-medium">{what}</span>
      <SubjectLink {...subject} />
      {detail !== "" && <span className="wrap-anywhere block text-text-muted">{detail}</span>}
    </span>
  );
}
