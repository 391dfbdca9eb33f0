import { SearchX } from "lucide-react";
import { HomeLink } from "#app/home-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { HiddenTitle } from "#components/ui/page-title.tsx";

export default function NotFound() {
  return (
    <Card flush>
      <HiddenTitle>Not found</HiddenTitle>
      <EmptyState
        action={<HomeLink />}
        description="It does not exist, or it does not belong to your account."
        icon={<SearchX />}
        title="Page not found"
      />
    </Card>
  );
}
