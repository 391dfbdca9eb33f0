import { BookOpen, ChevronRight, FileJson, KeySquare, ListTree, ScrollText, Webhook } from "lucide-react";
import { Link } from "#components/ui/link.tsx";

const links = [
  {
    href: "/api-keys",
    label: "API keys",
    text: "One for each program, with its own scopes and rate limit.",
    icon: <KeySquare />,
  },
  {
    href: "/developers/requests",
    label: "Request log",
    text: "Requests with your keys, each with its response.",
    icon: <ListTree />,
  },
  {
    href: "/webhooks",
    label: "Webhooks",
    text: "Endpoints that receive events as they happen.",
    icon: <Webhook />,
  },
  {
    href: "/webhooks/log",
    label: "Webhook log",
    text: "Each delivery with its attempts and answers.",
    icon: <ScrollText />,
  },
  {
    href: "/docs",
    label: "API reference",
    text: "A first call, every operation, error and event.",
    icon: <BookOpen />,
  },
  {
    href: "/api/openapi.json",
    label: "OpenAPI document",
    text: "The same for generated clients and tools.",
    icon: <FileJson />,
  },
] as const;

/** Where integrators go from here. */
export function DeveloperLinks() {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {links.map(({ href, label, text, icon }) => (
        <li
          className="relative flex gap-3 rounded-lg border bg-surface p-4 shadow-raised hover:bg-surface-hover"
          key={href}
        >
          <span className="mt-0.5 text-text-muted [&_svg]:size-4">{icon}</span>
          <span className="flex-1">
            <Link className="rounded-sm font-medium after:absolute after:inset-0" href={href}>
              {label}
            </Link>
            <span className="block text-sm text-text-muted">{text}</span>
          </span>
          <ChevronRight className="size-4 shrink-0 self-center text-text-muted" />
        </li>
      ))}
    </ul>
  );
}
