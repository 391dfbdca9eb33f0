/** Keys to press, e.g. `["g", "l"]`. Decorative: the shortcut list says it in words. */
export function KeyHint({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span aria-hidden className="inline-flex gap-0.5">
      {keys.map((key) => (
        <kbd
          className="grid h-4.5 min-w-4.5 place-items-center rounded-sm border bg-surface-sunken px-1 font-sans text-text-muted text-xs leading-none"
          key={key}
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
