import { ScrollText, SearchX } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export interface RequestLogEmptyProps {
  readonly filtered: boolean;
  readonly clearHref: string;
}

export function RequestLogEmpty({ filtered, clearHref }: RequestLogEmptyProps) {
  if (filtered) {
    return (
      <EmptyState
        action={<ButtonLink href={clearHref}>Clear filters</ButtonLink>}
        description="No request of the last 14 days has what the filters ask for."
        icon={<SearchX aria-hidden />}
        title="No request matches"
      />
    );
  }
  return (
    <EmptyState
      description="What is asked with this key is listed here for 14 days, about a second after it was answered."
      icon={<ScrollText aria-hidden />}
      title="No requests yet"
    />
  );
}
