/** A command to be run on a server; scrolls where it is wider than its place. */
export function CommandText({ children }: { readonly children: string }) {
  return (
    <pre
      className="overflow-x-auto rounded-md bg-surface-sunken p-3 font-mono text-xs leading-5"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </pre>
  );
}
