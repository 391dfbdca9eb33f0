import { Button } from "#components/ui/button.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { PasskeyLine } from "./settings.ts";

export interface PasskeyListProps {
  readonly passkeys: readonly PasskeyLine[];
  readonly onRemove: (passkey: PasskeyLine) => void;
}

export function PasskeyList({ passkeys, onRemove }: PasskeyListProps) {
  if (passkeys.length === 0) return null;
  return (
    <ul aria-label="Passkeys" className="divide-y border-y">
      {passkeys.map((passkey) => (
        <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm" key={passkey.id}>
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere font-medium">{passkey.name}</p>
            <p className="text-text-muted">
              Passkey, added <Timestamp format="date" value={passkey.createdAt} />,{" "}
              {passkey.lastUsedAt === null ? (
                "not used yet"
              ) : (
                <>
                  last used <Timestamp format="relative" value={passkey.lastUsedAt} />
                </>
              )}
            </p>
          </div>
          <Button aria-label={`Remove ${passkey.name}`} onClick={() => onRemove(passkey)} size="sm">
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}
