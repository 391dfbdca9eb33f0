import { Timestamp } from "#components/ui/timestamp.tsx";
import type { System } from "#lib/services/system/get.ts";
import { bytesText } from "./bytes-text.ts";

export function BackupText({ backup }: Pick<System, "backup">) {
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
