import { SearchX } from "lucide-react";
import type { Metadata } from "next";
import { PageAlone } from "#components/shell/page-alone.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { HomeLink } from "./home-link.tsx";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <PageAlone wide>
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        action={<HomeLink />}
        description="The address may be mistyped, or the page has moved."
        icon={<SearchX aria-hidden />}
        title="There is no such page"
      />
    </PageAlone>
  );
}
