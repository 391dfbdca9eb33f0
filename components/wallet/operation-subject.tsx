import { ObjectId } from "#components/ui/object-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { findSubject, type OperationSubject } from "./ledger-entry.ts";

export interface SubjectLinkProps {
  readonly of: OperationSubject;
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
}

/** The subject's name, and in small type its id. */
export function SubjectLink(props: SubjectLinkProps) {
  return (
    <span className="wrap-anywhere">
      <SubjectName {...props} /> <SubjectId of={props.of} />
    </span>
  );
}

function SubjectName({ of, linked }: SubjectLinkProps) {
  const subject = findSubject(of);
  if (subject === null) return null;
  return linked ? <TextLink href={subject.href}>{subject.name}</TextLink> : subject.name;
}

function SubjectId({ of }: Pick<SubjectLinkProps, "of">) {
  const subject = findSubject(of);
  return subject && <ObjectId>{subject.id}</ObjectId>;
}

interface SubjectLinesProps extends SubjectLinkProps {
  readonly what: string;
  readonly detail?: string;
}

/** An entry of the wallet: what was done, to what, and what was noted about it. */
export function SubjectLines({ what, detail = "", ...subject }: SubjectLinesProps) {
  return (
    <span className="block min-w-0 md:py-0.5">
      <span className="block font-medium">
        {what} <SubjectId of={subject.of} />
      </span>
      <span className="wrap-anywhere">
        <SubjectName {...subject} />
      </span>
      {detail !== "" && <span className="wrap-anywhere block text-text-muted">{detail}</span>}
    </span>
  );
}
