import { findMatches, type SearchWord } from "#lib/domain/search-text.ts";

/** A text with what a search matches in it. */
export function Highlight({ text, words }: { readonly text: string; readonly words: readonly SearchWord[] }) {
  const matches = findMatches(text, words);
  return (
    <>
      {matches.map(([start, end], index) => (
        <span key={start}>
          {text.slice(matches[index - 1]?.[1] ?? 0, start)}
          <mark className="rounded-xs bg-caution-soft text-caution">{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(matches.at(-1)?.[1] ?? 0)}
    </>
  );
}
