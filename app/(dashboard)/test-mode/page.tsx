import { KeySquare } from "lucide-react";
import { createLoader, parseAsString } from "nuqs/server";
import type { PageProps } from "#app/page-props.ts";
import { PlayMoneyForm } from "#components/sandbox/play-money-form.tsx";
import { RehearsalForm } from "#components/sandbox/rehearsal-form.tsx";
import { ResetSandbox } from "#components/sandbox/reset-sandbox.tsx";
import { SwitchMode } from "#components/sandbox/switch-mode.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { getRehearsal } from "#lib/services/sandbox/rehearsal.ts";
import { addPlayMoney, rehearse, reset, switchMode } from "./actions.ts";

/** `?amount=29.00`: play money that another page lacks. */
const loadAmount = createLoader({ amount: parseAsString.withDefault("1000") });

export default async function TestModePage({ searchParams }: PageProps) {
  const [user, { amount }] = await Promise.all([requireResellerUser("sandbox:write"), loadAmount(searchParams)]);
  if (user.liveResellerId === null) return <LiveMode />;
  const ctx = contextOf(user);
  const [rehearsal, { resellerId: sandboxId, currency }] = await Promise.all([getRehearsal(ctx), getReseller(ctx)]);
  return (
    <>
      <PageHeader
        description="Every page now shows your sandbox. Programs reach it with a test key."
        links={[{ href: "/api-keys", icon: <KeySquare />, label: "Test keys" }]}
        title="Test mode"
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Card description="How the provider treats your next changes." title="Rehearse failures">
            <RehearsalForm action={rehearse} current={rehearsal} />
          </Card>
          <Card description="See what a month brings, in a minute." title="Time travel">
            <p className="text-sm text-text-muted">
              Open a <TextLink href="/licenses">test license</TextLink> and move it ahead to its reminders, automatic
              renewal or end.
            </p>
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card description="It exists in test mode only." title="Play money">
            <PlayMoneyForm action={addPlayMoney} amount={amount} currency={currency} />
          </Card>
          <Card description="Removes all test licenses, entries and jobs. At most ten times a day." title="Start over">
            <ResetSandbox action={reset.bind(null, { sandboxId })} />
          </Card>
        </div>
      </div>
    </>
  );
}

function LiveMode() {
  return (
    <>
      <PageHeader description="A sandbox with licenses, wallet, keys and webhooks of its own." title="Test mode" />
      <Card title="You are in live mode">
        <div className="flex flex-col items-start gap-4">
          <ul className="flex list-disc flex-col gap-1 pl-4 text-sm text-text-muted">
            <li>Buy with play money at your own prices.</li>
            <li>The provider is simulated: it fails when you ask it to, and never reaches a server.</li>
            <li>Switching changes what this browser shows, for you only.</li>
          </ul>
          <SwitchMode action={switchMode} testMode variant="primary">
            Switch to test mode
          </SwitchMode>
        </div>
      </Card>
    </>
  );
}
