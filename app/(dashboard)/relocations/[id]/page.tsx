import type { Metadata } from "next";

/** A bulk change like others, under its own name. */
export { default } from "#app/(dashboard)/licenses/bulk/[id]/page.tsx";

export const metadata: Metadata = { title: "Relocation" };
