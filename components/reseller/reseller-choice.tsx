"use client";
import { ExternalLink } from "lucide-react";
import { Link } from "#components/ui/link.tsx";
import { ObjectChoice, type ObjectChoiceProps } from "#components/ui/object-choice.tsx";

export interface ChosenReseller {
  readonly id: number;
  /** Null: there is none with this id. */
  readonly name: string | null;
}

/** What a list is filtered by, and what else it can be. */
export interface ResellerFilter extends Pick<ObjectChoiceProps, "search"> {
  readonly chosen: ChosenReseller | null;
}

type ResellerChoiceProps = ResellerFilter & Pick<ObjectChoiceProps, "onChoose">;

/** One reseller of thousands, as a list's filter. */
export function ResellerChoice({ chosen, search, onChoose }: ResellerChoiceProps) {
  return (
    <div className="flex items-center gap-0.5 max-md:w-full">
      <ObjectChoice
        chosen={chosen && { id: chosen.id, name: nameOf(chosen) }}
        label="Reseller"
        noun={["reseller", "resellers"]}
        onChoose={onChoose}
        search={search}
        tip="Try a part of a name or an email address."
      />
      {chosen !== null && chosen.name !== null && (
        <Link
          aria-label={`Open ${chosen.name}`}
          className="grid size-8 place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text pointer-coarse:size-10"
          href={`/resellers/${chosen.id}`}
          title={`Open ${chosen.name}`}
        >
          <ExternalLink className="size-3.5" />
        </Link>
      )}
    </div>
  );
}

function nameOf({ id, name }: ChosenReseller): string {
  return name ?? `Reseller ${id}`;
}
