import { usePathname, useSearchParams } from "next/navigation";

/** Where one signs in to come back to this page, as it is. */
export function useSignInHref(): string {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  return `/sign-in?next=${encodeURIComponent(query === "" ? pathname : `${pathname}?${query}`)}`;
}
