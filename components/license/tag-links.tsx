import { cx } from "#components/ui/cx.ts";
import { Highlight } from "#components/ui/highlight.tsx";
import { Link } from "#components/ui/link.tsx";
import type { SearchWord } from "#lib/domain/search-text.ts";

export interface TagLinksProps {
  readonly tags: readonly string[];
  /** The list of the licenses with this tag. */
  readonly hrefOf: (tag: string) => string;
  /** Where there is little room: how many are shown, and none of them whole if it is long; the others are counted. */
  readonly atMost?: number;
  /** What is searched for. */
  readonly words?: readonly SearchWord[];
}

/** Tags, each a link to its licenses. */
export function TagLinks({ tags, hrefOf, atMost, words = [] }: TagLinksProps) {
  const shown = tags.slice(0, atMost);
  const hidden = tags.slice(shown.length);
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap items-center gap-1">
      {shown.map((tag) => (
        <li className="flex min-w-0" key={tag}>
          <Link
            className={cx(
              "inline-block h-5 min-w-6 truncate text-center rounded-sm bg-surface-selected px-1.5 text-text-muted text-xs leading-5 hover:text-text",
              atMost === undefined ? "max-w-full" : "max-w-40",
            )}
            dir="auto"
            href={hrefOf(tag)}
            title={tag}
          >
            <Highlight text={tag} words={words} />
          </Link>
        </li>
      ))}
      {hidden.length > 0 && (
        <li className="text-text-muted text-xs" title={hidden.join(", ")}>
          +{hidden.length}
        </li>
      )}
    </ul>
  );
}
