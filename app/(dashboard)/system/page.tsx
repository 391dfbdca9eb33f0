import { BackupText } from "#components/system/backup-text.tsx";
import { bytesText } from "#components/system/bytes-text.ts";
import { SystemChecks } from "#components/system/system-checks.tsx";
import { JobTable, ProcessTable, StorageTable } from "#components/system/system-tables.tsx";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { KEPT_DAYS } from "#lib/domain/retention.ts";
import { getSystem } from "#lib/services/system/get.ts";

const days = (count: number) => `${count} days`;
const retention = [
  { term: "Verifications", value: days(KEPT_DAYS.verifications) },
  { term: "API requests", value: days(KEPT_DAYS.apiRequests) },
  { term: "Events and deliveries", value: days(KEPT_DAYS.events) },
  { term: "Messages", value: days(KEPT_DAYS.mails) },
  { term: "Agents' reports", value: days(KEPT_DAYS.reports) },
  { term: "Jobs", value: `${days(KEPT_DAYS.bulkJobs)} after their end` },
  { term: "Sessions", value: `${days(KEPT_DAYS.sessions)} after their end` },
  { term: "Ledger and audit log", value: "Forever" },
];

export default async function SystemPage() {
  const system = await getSystem(contextOf(await requireAdminUser("admin:read")));
  const { checks, processes, tables, backup } = system;
  return (
    <>
      <PageHeader description="All instances that use this database." title="System" />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Card title="Checks">
            <SystemChecks checks={checks} />
          </Card>
          <Card description="Each renews its lease twice a second." flush title="Processes">
            <ProcessTable processes={processes} />
          </Card>
          <Card flush title="Largest tables">
            <StorageTable tables={tables} />
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card title="Database">
            <DescriptionList
              items={[
                { term: "PostgreSQL", value: system.serverVersion },
                { term: "Size", value: bytesText(Number(system.databaseBytes)) },
                { term: "Schema", value: <span className="wrap-anywhere">{system.migration}</span> },
                { term: "Migrated", value: <Timestamp value={system.migratedAt} /> },
                { term: "Last backup", value: <BackupText backup={backup} /> },
              ]}
            />
          </Card>
          <div className="scroll-mt-16" id="jobs">
            <Card description="The last run of each, on any instance." flush title="Scheduled jobs">
              {system.jobs.length === 0 ? (
                <p className="p-4 text-sm text-text-muted">None has run yet.</p>
              ) : (
                <JobTable jobs={system.jobs} />
              )}
            </Card>
          </div>
          <Card description="The worker deletes what is older, every night." title="Retention">
            <DescriptionList items={retention} />
          </Card>
        </div>
      </div>
    </>
  );
}
