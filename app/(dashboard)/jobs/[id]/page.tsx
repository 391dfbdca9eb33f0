import { readBalance } from "#app/(dashboard)/actions.ts";
import { EarlierAgentKeys } from "#app/(dashboard)/api-keys/earlier-agent-keys.tsx";
import { OfReseller } from "#app/(dashboard)/licenses/[id]/of-reseller.tsx";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { BulkJobPage } from "#components/bulk/bulk-job-view.tsx";
import { may, requireUserWith } from "#lib/dashboard/session.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { cancelJob, createCommands, retryJob, stopReverts } from "./actions.ts";
import { readShownJob } from "./find.ts";
import { jobHref, loadJobParams, readJob } from "./read-job.ts";

export default async function JobPage({ params, searchParams }: PageProps<"id">) {
  const [user, { id }, view] = await Promise.all([
    requireUserWith("licenses:read"),
    params,
    loadJobParams(searchParams),
  ]);
  const { ctx, job, viewed } = await orNotFound(readShownJob(user, id));
  const [initial, balance] = await Promise.all([
    readJob(ctx, job, view),
    user.kind === "reseller" && may(user, "wallet:read") ? getBalance(ctx) : null,
  ]);
  const search = jobHref(view);
  return (
    <OfReseller of={{ ctx, viewed }}>
      <BulkJobPage
        commands={
          user.kind === "reseller" && job.kind === "register"
            ? {
                create: createCommands.bind(null, { jobId: Number(job.id) }),
                earlierKeys: <EarlierAgentKeys of={{ jobId: job.id }} user={user} />,
              }
            : null
        }
        balance={balance}
        cancel={cancelJob.bind(null, viewed)}
        initial={initial}
        key={search}
        outcome={view.show}
        readBalance={readBalance}
        retry={retryJob.bind(null, viewed)}
        search={search}
        stopReverts={stopReverts.bind(null, viewed)}
      />
    </OfReseller>
  );
}
