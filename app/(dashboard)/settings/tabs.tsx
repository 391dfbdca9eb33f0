import { TabLinks } from "#components/ui/tab-links.tsx";

/** For a reseller's people, who see who else has access; admins have a page of their own for that. */
export function SettingsTabs() {
  return (
    <TabLinks
      label="Settings"
      tabs={[
        { href: "/settings", label: "Account" },
        { href: "/settings/team", label: "Team" },
      ]}
    />
  );
}
