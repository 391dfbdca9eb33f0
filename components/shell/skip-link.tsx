export const MAIN_ID = "main";

export function SkipLink() {
  return (
    <a
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-surface-inverse px-3 py-2 font-medium text-sm text-text-inverse focus:translate-y-0"
      data-screen-only=""
      href={`#${MAIN_ID}`}
    >
      Skip to content
    </a>
  );
}
