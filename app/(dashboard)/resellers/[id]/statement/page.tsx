import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { StatementScreen } from "#app/(dashboard)/wallet/statement/statement-screen.tsx";
import type { PageProps } from "#app/page-props.ts";

export default async function ResellerStatementPage({ params, searchParams }: PageProps<"id">) {
  const { ctx, reseller, path } = await requireReseller((await params).id);
  const trail = [
    { label: "Resellers", href: "/resellers" },
    { label: reseller.name, href: path },
  ];
  return (
    <StatementScreen
      ctx={ctx}
      linked={false}
      path={`${path}/statement`}
      searchParams={searchParams}
      title={`Statement · ${reseller.name}`}
      trail={trail}
    />
  );
}
