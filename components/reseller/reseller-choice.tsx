"use client";
import { ExternalLink, X } from "lucide-react";
import { useEffect, useState } from "react";
import { controlClassName, controlHeightClassName } from "#components/ui/control-style.ts";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { type Suggestion, Suggestions } from "#components/ui/suggestions.tsx";
import { useCombobox } from "#components/ui/use-combobox.ts";
import type { SearchAction } from "#components/ui/use-typed-search.ts";

export interface ChosenReseller {
  readonly id: number;
  /** Null: there is none with this id. */
  readonly name: string | null;
}

export interface ResellerChoiceProps {
  readonly chosen: ChosenReseller | null;
  /** A server action: some with this text in name or email, newest first. Throws when there is no answer. */
  readonly search: SearchAction<Suggestion>;
  /** Null: all of them. */
  readonly onChoose: (resellerId: number | null) => void;
}

/**
 * One reseller of thousands, as a list's filter: emptied and sent with Enter, it stands for all;
 * Escape, and leaving it, brings back what was chosen.
 */
export function ResellerChoice({ chosen, search, onChoose }: ResellerChoiceProps) {
  /** Null: nothing yet. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed?.trim() ?? "";
  const { inputRef, input, list, close } = useCombobox({
    name: "resellers",
    search,
    text,
    onType: setTyped,
    onChoose: ({ id }) => choose(id),
    onEnter: () => {
      if (typed !== null && text === "") choose(null);
    },
    onClose: () => setTyped(null),
  });

  // The name goes as soon as another one is typed.
  const shown = typed ?? (chosen === null ? "" : nameOf(chosen));
  useEffect(() => {
    if (typed === null && shown !== "" && document.activeElement === inputRef.current) inputRef.current?.select();
  }, [typed, shown, inputRef]);

  function choose(resellerId: number | null) {
    close();
    if (resellerId !== (chosen?.id ?? null)) onChoose(resellerId);
  }

  return (
    <div className="flex items-center gap-0.5 max-md:w-full">
      <div className="relative w-56 max-md:w-full">
        <input
          {...input}
          aria-label="Reseller"
          className={cx(controlClassName, controlHeightClassName, chosen !== null && "pr-9")}
          placeholder="All resellers"
          value={shown}
        />
        {chosen !== null && (
          <span className="absolute inset-y-0 right-0.5 flex items-center">
            <IconButton
              icon={<X aria-hidden className="size-3.5" />}
              label="Show all resellers"
              onClick={() => {
                inputRef.current?.focus();
                choose(null);
              }}
              size="sm"
            />
          </span>
        )}
        {list && (
          <Suggestions {...list} noun={["reseller", "resellers"]} tip="Try a part of a name or an email address." />
        )}
      </div>
      {chosen !== null && chosen.name !== null && (
        <Link
          aria-label={`Open ${chosen.name}`}
          className="grid size-8 place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text pointer-coarse:size-10"
          href={`/resellers/${chosen.id}`}
          title={`Open ${chosen.name}`}
        >
          <ExternalLink aria-hidden className="size-3.5" />
        </Link>
      )}
    </div>
  );
}

function nameOf({ id, name }: ChosenReseller): string {
  return name ?? `Reseller ${id}`;
}
