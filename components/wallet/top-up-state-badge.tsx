import { Check, Clock, X } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import type { TopUpState } from "./top-up-request.ts";

export function TopUpStateBadge({ state }: { readonly state: TopUpState }) {
  switch (state) {
    case "requested":
      return (
        <Badge icon={<Clock aria-hidden />} tone="accent">
          Waiting
        </Badge>
      );
    case "approved":
      return (
        <Badge icon={<Check aria-hidden />} tone="positive">
          Credited
        </Badge>
      );
    case "declined":
      return (
        <Badge icon={<X aria-hidden />} tone="critical">
          Declined
        </Badge>
      );
    default:
      return state satisfies never;
  }
}
