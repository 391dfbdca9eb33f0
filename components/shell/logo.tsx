/** A key tag: what a license is, and where it hangs. */
export function Logo() {
  return (
    <span className="flex items-center gap-2 font-semibold text-base tracking-tight">
      <svg aria-hidden="true" className="size-6 text-accent" fill="none" viewBox="0 0 24 24">
        <path
          d="M3 7.5A4.5 4.5 0 0 1 7.5 3h9A4.5 4.5 0 0 1 21 7.5v9a4.5 4.5 0 0 1-4.5 4.5h-9A4.5 4.5 0 0 1 3 16.5v-9Z"
          fill="currentColor"
        />
        <circle cx="9" cy="9" r="2.6" stroke="white" strokeWidth="1.8" />
        <path d="m11 11 5.2 5.2m-2.7-2.7 1.8-1.8" stroke="white" strokeLinecap="round" strokeWidth="1.8" />
      </svg>
      <span className="max-[22rem]:sr-only">License Desk</span>
    </span>
  );
}
