import { SearchX } from "lucide-react";
import type { Metadata } from "next";
import { HomeLink } from "#app/home-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Card flush>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        action={<HomeLink />}
        description="It does not exist, or it does not belong to your account."
        icon={<SearchX aria-hidden />}
        title="Page not found"
      />
    </Card>
  );
}
