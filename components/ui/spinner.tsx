/** Decorative: whoever shows it says in words what is going on. */
export function Spinner() {
  return (
    <svg aria-hidden="true" className="animate-spin" fill="none" height={14} viewBox="0 0 16 16" width={14}>
      <circle cx="8" cy="8" opacity="0.25" r="6.5" stroke="currentColor" strokeWidth="2" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeLinecap="round" strokeWidth="2" />
    </svg>
  );
}
