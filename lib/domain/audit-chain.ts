import { createHash } from "node:crypto";

/** One link of the hash chain over the audit log (docs/decisions/0054). */
export interface AuditLink {
  /** 1, 2, 3 … */
  readonly position: bigint;
  readonly entryId: bigint;
  readonly hash: Uint8Array;
  /** The entry as JSON text; null: there is none. */
  readonly text: string | null;
}

/** A place of the chain, noted earlier, elsewhere. */
export interface AuditHead {
  readonly position: bigint;
  /** Lower-case hex. */
  readonly hash: string;
}

export type AuditProblem =
  /** The entry is not as it was written, or another one stands in its place. */
  | { readonly kind: "entry_changed"; readonly position: bigint; readonly entryId: bigint }
  | { readonly kind: "entry_missing"; readonly position: bigint; readonly entryId: bigint }
  /** The first of the missing links. */
  | { readonly kind: "links_missing"; readonly position: bigint }
  /** The chain does not lead through the head that was noted. */
  | { readonly kind: "head_differs"; readonly position: bigint };

/** Checks links one by one, from the first. */
export class AuditChain {
  readonly problems: AuditProblem[] = [];
  private last: { readonly position: bigint; readonly hash: Uint8Array } = { position: 0n, hash: new Uint8Array() };
  private expected: AuditHead | null;

  /** `expected`: a head that was noted before. */
  constructor(expected: AuditHead | null = null) {
    this.expected = expected;
  }

  get head(): AuditHead | null {
    const { position, hash } = this.last;
    return position === 0n ? null : { position, hash: Buffer.from(hash).toString("hex") };
  }

  add({ position, entryId, hash, text }: AuditLink): void {
    const isNext = position === this.last.position + 1n;
    if (!isNext) this.problems.push({ kind: "links_missing", position: this.last.position + 1n });
    if (text === null) this.problems.push({ kind: "entry_missing", position, entryId });
    else if (isNext && !createHash("sha256").update(this.last.hash).update(text).digest().equals(hash)) {
      this.problems.push({ kind: "entry_changed", position, entryId });
    }
    this.last = { position, hash };
    if (this.expected?.position === position && this.expected.hash === this.head?.hash) this.expected = null;
  }

  /** Once all links were added. */
  end(): void {
    if (this.expected) this.problems.push({ kind: "head_differs", position: this.expected.position });
  }
}
