import { ScrollText } from "lucide-react";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { NoMatch } from "#components/ui/no-match.tsx";
import { LOG_PATH, type LogView } from "./log-params.ts";

export interface LogEmptyProps {
  readonly view: LogView;
  /** Where to send a test event; null while there is no endpoint. */
  readonly endpointHref: string | null;
}

export function LogEmpty({ view, endpointHref }: LogEmptyProps) {
  if (isFiltered(view)) {
    return (
      <NoMatch
        clearHref={LOG_PATH}
        none="No delivery of the last 30 days matches these filters."
        title="No delivery matches"
        view={view}
      />
    );
  }
  return (
    <EmptyState
      action={
        <Allowed to="webhooks:write">
          <ButtonLink href={endpointHref ?? "/webhooks/new"} variant="primary">
            {endpointHref === null ? "Add endpoint" : "Send test event"}
          </ButtonLink>
        </Allowed>
      }
      description={
        endpointHref === null
          ? "Messages to your endpoints appear here, each attempt with its answer. There is no endpoint yet."
          : "The next event appears here on its own, each attempt with its answer. A test event shows whether all is well."
      }
      icon={<ScrollText />}
      title="Nothing has been sent yet"
    />
  );
}
