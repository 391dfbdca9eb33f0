import { Mail } from "lucide-react";
import type { PageProps } from "#app/page-props.ts";
import { MailFilters } from "#components/mail/mail-filters.tsx";
import { loadMailParams, mailListHref } from "#components/mail/mail-params.ts";
import { MailTable } from "#components/mail/mail-table.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listMails } from "#lib/services/mail/outbox.ts";

const PATH = "/outbox";

export default async function OutboxPage({ searchParams }: PageProps) {
  const [user, { q, state, before }] = await Promise.all([
    requireAdminUser("admin:read"),
    loadMailParams(searchParams),
  ]);
  const page = await listMails(contextOf(user), { recipient: q, state, before });
  const { hasServer } = page;
  return (
    <>
      <PageHeader description="Messages to users, kept for 30 days." title="Outbox" />
      {!hasServer && (
        <div className="mb-3">
          <Banner title="No mail server is configured" tone="caution">
            Messages stay here. Open one to hand over its link, or set SMTP_URL and MAIL_FROM.
          </Banner>
        </div>
      )}
      <MailFilters hasServer={hasServer} />
      <ListCard
        empty={{
          icon: <Mail />,
          title: "No messages yet",
          description: "Invitations and other messages to users appear here.",
        }}
        filter={{
          view: { q, state },
          clearHref: PATH,
          title: "No message matches",
          none: "Try another filter, or clear them all.",
        }}
        page={page}
        pages={onward((before) => mailListHref(PATH, { q, state, before }), before, page.next)}
      >
        <MailTable hasServer={hasServer} mails={page.rows} />
      </ListCard>
    </>
  );
}
