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
        description="Try another filter, or clear them all."
        icon={<SearchX aria-hidden />}
        title="No request matches"
      />
    );
  }
  return (
    <EmptyState
      description="Requests made with this key are listed here for 14 days, about a second after they are answered."
      icon={<ScrollText aria-hidden />}
      title="No requests yet"
    />
  );
}
