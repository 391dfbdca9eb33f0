import { notFound } from "next/navigation";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { retry, showLink } from "#app/(dashboard)/outbox/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { MailButtons } from "#components/mail/mail-actions.tsx";
import { MailBody } from "#components/mail/mail-body.tsx";
import { MailOutcome, MailStateBadge } from "#components/mail/mail-state.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { mailTitle } from "#lib/domain/mail/kinds.ts";
import { getMail } from "#lib/services/mail/outbox.ts";

const mailId = /^[1-9]\d{0,17}$/;

export default async function MailPage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  if (!mailId.test(id)) notFound();
  const mail = await orNotFound(getMail(contextOf(user), { mailId: id }));
  const { hasServer, hasLink } = mail;
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="users:write">
            <MailButtons hasLink={hasLink} hasServer={hasServer} mail={mail} retry={retry} showLink={showLink} />
          </Allowed>
        }
        badge={<MailStateBadge hasServer={hasServer} mail={mail} />}
        heading={mailTitle(mail.kind)}
        title={`Message ${id} · Outbox`}
        trail={[{ label: "Outbox", href: "/outbox" }]}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <MailBody html={mail.html} text={mail.text} />
        <Card title="Delivery">
          <DescriptionList
            items={[
              {
                term: "To",
                value: (
                  <span>
                    {mail.userName}
                    <span className="block text-text-muted">{mail.recipient}</span>
                  </span>
                ),
              },
              { term: "Written", value: <Timestamp value={mail.createdAt} /> },
              { term: "Attempts", value: mail.attemptCount },
              { term: "Result", value: <MailOutcome hasServer={hasServer} mail={mail} /> },
              mail.state === "pending" &&
                hasServer && { term: "Next attempt", value: <Timestamp value={mail.nextAttemptAt} /> },
            ]}
          />
        </Card>
      </div>
    </>
  );
}
