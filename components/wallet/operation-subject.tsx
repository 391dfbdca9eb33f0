import { TextLink } from "#components/ui/text-link.tsx";

/** What an operation is about. `href`: null where the reader has no page of it. */
export interface OperationSubject {
  /** `lic_12`, or "bundle 3". */
  readonly name: string;
  readonly href: string | null;
}

export function SubjectLink({ name, href }: OperationSubject) {
  return href === null ? <span className="text-text-muted">{name}</span> : <TextLink href={href}>{name}</TextLink>;
}
