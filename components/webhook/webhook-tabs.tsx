import { TabLinks } from "#components/ui/tab-links.tsx";

const tabs = [
  { href: "/webhooks", label: "Endpoints" },
  { href: "/webhooks/log", label: "Log" },
] as const;

export function WebhookTabs() {
  return <TabLinks label="Webhooks" tabs={tabs} />;
}
