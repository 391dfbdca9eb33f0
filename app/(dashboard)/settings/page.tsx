import { ConfirmButton } from "#components/form/confirm-button.tsx";
import { SettingsForm } from "#components/form/form.tsx";
import { EmailForm } from "#components/settings/email-form.tsx";
import { PasswordForm } from "#components/settings/password-form.tsx";
import { ProfileForm } from "#components/settings/profile-form.tsx";
import { SecondFactorCard } from "#components/settings/second-factor-card.tsx";
import { SessionList } from "#components/settings/session-list.tsx";
import { spanText } from "#components/settings/span-text.ts";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { findPasskeySite } from "#lib/dashboard/passkey-site.ts";
import { contextOf, readSessionLimits, roleNameOf } from "#lib/dashboard/session.ts";
import { browserText } from "#lib/domain/browser-text.ts";
import { mailKinds } from "#lib/domain/mail/kinds.ts";
import { listTimeZones } from "#lib/domain/time-zone.ts";
import { listMailPreferences } from "#lib/services/mail/preferences.ts";
import { getOwnFactors } from "#lib/services/user/own-factors.ts";
import { listOwnPasskeys } from "#lib/services/user/own-passkeys.ts";
import { listOwnSessions } from "#lib/services/user/own-sessions.ts";
import {
  addPasskey,
  changeEmail,
  changePassword,
  confirmTotp,
  endOthers,
  endSession,
  removePasskey,
  removeTotp,
  replaceRecoveryCodes,
  saveMessages,
  saveProfile,
  startPasskey,
  startTotp,
} from "./actions.ts";
import { requireSelf } from "./own-user.ts";
import { SettingsTabs } from "./tabs.tsx";

export default async function SettingsPage() {
  const user = await requireSelf();
  const ctx = contextOf(user);
  const sessionLimits = readSessionLimits();
  const [sessions, factors, passkeys, preferences] = await Promise.all([
    listOwnSessions(ctx, sessionLimits),
    getOwnFactors(ctx),
    listOwnPasskeys(ctx),
    listMailPreferences(ctx),
  ]);
  return (
    <>
      <PageHeader title="Settings" />
      {user.kind === "reseller" && <SettingsTabs />}
      <div className="grid gap-5 lg:grid-cols-2">
        <div className="flex flex-col gap-5">
          <Card description={`Your role is ${roleNameOf(user)}.`} title="You">
            <ProfileForm
              action={saveProfile}
              formatLocale={user.formatLocale}
              name={user.name}
              timeZone={user.timeZone}
              timeZones={listTimeZones()}
            />
          </Card>
          <Card description={`You sign in as ${user.email}. Both addresses confirm a change.`} title="Email">
            <EmailForm action={changeEmail} />
          </Card>
        </div>
        <div className="flex flex-col gap-5">
          <Card description="Changing it signs you out everywhere else." title="Password">
            <PasswordForm action={changePassword} />
          </Card>
          <Card description="Choose which emails you get." title="Email notifications">
            <SettingsForm action={saveMessages} done="Notifications saved" submitLabel="Save notifications">
              <div className="flex flex-col gap-1">
                {preferences.map(({ kind, on }) => (
                  <Checkbox defaultChecked={on} key={kind} label={mailKinds[kind].title} name={kind} />
                ))}
              </div>
            </SettingsForm>
          </Card>
        </div>
        <div className="lg:col-span-2">
          <SecondFactorCard
            actions={{ start: startTotp, confirm: confirmTotp, remove: removeTotp, replaceCodes: replaceRecoveryCodes }}
            passkeyActions={{ start: startPasskey, add: addPasskey, remove: removePasskey }}
            passkeys={passkeys}
            passkeysAllowed={findPasskeySite() !== null}
            recoveryCodes={factors.recoveryCodes}
            totpSince={factors.totpSince}
          />
        </div>
        <div className="lg:col-span-2">
          <Card
            actions={
              sessions.length > 1 && (
                <ConfirmButton
                  action={endOthers}
                  button={{ size: "sm" }}
                  confirmLabel="Sign out"
                  description="Every other browser has to sign in again."
                  done="Signed out everywhere else"
                  label="Sign out everywhere else"
                  refusalNote="The other sessions continue."
                  title="Sign out everywhere else?"
                />
              )
            }
            description={`Sign out any session that is not yours, then change your password. A session ends after ${spanText(sessionLimits.idleMinutes)} without use, and ${spanText(sessionLimits.maxHours * 60)} after signing in.`}
            flush
            title="Where you are signed in"
          >
            <SessionList
              end={endSession}
              sessions={sessions.map(({ id, address, userAgent, createdAt, lastUsedAt }) => ({
                id,
                address,
                browser: browserText(userAgent),
                current: id === user.sessionId,
                createdAt,
                lastUsedAt,
              }))}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
