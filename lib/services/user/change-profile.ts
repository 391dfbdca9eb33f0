import { updateOwnProfile } from "#lib/db/user/user.ts";
import { requireWellFormed } from "#lib/domain/errors.ts";
import { formatLocales, isFormatLocale } from "#lib/domain/format-locale.ts";
import { isTimeZone } from "#lib/domain/time-zone.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { findNameProblem } from "./fields.ts";
import { requireOwnUser } from "./manager.ts";

export interface ProfileInput {
  readonly name: string;
  /** Empty: the browser's. */
  readonly timeZone: string;
  /** Empty: the default. */
  readonly formatLocale: string;
}

/** Changes the actor's own name, time zone and formats. @throws DomainError `parameters_invalid` */
export async function changeOwnProfile(ctx: ServiceContext, input: ProfileInput): Promise<void> {
  const userId = requireOwnUser(ctx);
  const name = input.name.trim();
  const timeZone = input.timeZone || null;
  const formatLocale = input.formatLocale || null;
  requireWellFormed({
    name: findNameProblem(name),
    time_zone: timeZone !== null && !isTimeZone(timeZone) && "must be a time zone, such as Europe/Berlin",
    format_locale:
      formatLocale !== null && !isFormatLocale(formatLocale) && `must be one of ${formatLocales.join(", ")}`,
  });
  const profile = { name, timeZone, formatLocale };
  await updateOwnProfile(writesOf(ctx), userId, profile, changedBy(ctx));
}
