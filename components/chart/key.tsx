/** What a mark of a chart stands for. `className` draws the mark. */
export function Key({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={className} />
      {children}
    </span>
  );
}
