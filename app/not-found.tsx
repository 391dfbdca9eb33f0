import { SearchX } from "lucide-react";
import { PageAlone } from "#components/shell/page-alone.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { HiddenTitle } from "#components/ui/page-title.tsx";
import { HomeLink } from "./home-link.tsx";

export default function NotFound() {
  return (
    <PageAlone wide>
      <HiddenTitle>Page not found</HiddenTitle>
      <EmptyState
        action={<HomeLink />}
        description="The address may be mistyped, or the page has moved."
        icon={<SearchX />}
        title="There is no such page"
      />
    </PageAlone>
  );
}
