import { notFound } from "next/navigation";

/** The text of a dynamic segment of a page's address. Next passes on most of it encoded, but `%25` as `%`. */
export function readSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    notFound();
  }
}
