import { TabLinks } from "#components/ui/tab-links.tsx";

const tabs = [
  { href: "/catalog", label: "Products" },
  { href: "/catalog/bundles", label: "Bundles" },
] as const;

export function CatalogTabs() {
  return <TabLinks label="Catalog" tabs={tabs} />;
}
