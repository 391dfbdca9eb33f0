/** The look shared by text inputs, text areas and selects. 16 px on phones, or iOS zooms in on focus. */
export const controlClassName =
  "w-full rounded-md bg-surface px-2.5 text-sm text-text inset-ring inset-ring-border-control placeholder:text-text-muted focus-visible:outline-offset-0 aria-invalid:inset-ring-critical aria-invalid:inset-ring-2 disabled:bg-surface-sunken disabled:inset-ring-border disabled:text-text-muted [&:is(input,textarea)]:read-only:bg-surface-sunken [&:is(input,textarea)]:read-only:inset-ring-border pointer-coarse:text-[1rem]/6";

export const controlHeightClassName = "h-8 pointer-coarse:h-10";
