import { Timestamp } from "#components/ui/timestamp.tsx";
import { bytesText } from "./bytes-text.ts";

export interface BackupFacts {
  /** ISO 8601. */
  readonly startedAt: string;
  /** Null while it is made, and if its process died. */
  readonly endedAt: string | null;
  readonly bytes: string | null;
  readonly error: string | null;
}

export function BackupText({ backup }: { readonly backup: BackupFacts | null }) {
  if (backup === null) return "No backup yet";
  const { startedAt, endedAt, bytes, error } = backup;
  return (
    <span>
      <Timestamp format="relative" value={startedAt} />
      {error !== null
        ? `: failed. ${error}`
        : endedAt === null
          ? ": not finished"
          : bytes && `, ${bytesText(Number(bytes))}`}
    </span>
  );
}
