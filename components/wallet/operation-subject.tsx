import { TextLink } from "#components/ui/text-link.tsx";

/** What an operation is about. */
export interface OperationSubject {
  /** `lic_12`, or "bundle 3". */
  readonly id: string;
  /** E.g. "Mail Gateway on mx1.example.com". */
  readonly name: string;
  /** Null where the reader has no page of it. */
  readonly href: string | null;
}

/** Its name, and in small type its id. */
export function SubjectLink({ id, name, href }: OperationSubject) {
  return (
    <span className="wrap-anywhere">
      {href === null ? name : <TextLink href={href}>{name}</TextLink>}{" "}
      <span className="whitespace-nowrap text-text-muted text-xs">{id}</span>
    </span>
  );
}

interface SubjectLinesProps {
  readonly what: string;
  readonly subject: OperationSubject | null;
  readonly detail?: string;
}

/** An entry of the wallet: what was done, to what, and what was noted about it. */
export function SubjectLines({ what, subject, detail = "" }: SubjectLinesProps) {
  return (
    <span className="block min-w-0 py-0.5">
      <span className="block font-medium">{what}</span>
      {subject && <SubjectLink {...subject} />}
      {detail !== "" && <span className="wrap-anywhere block text-text-muted">{detail}</span>}
    </span>
  );
}
