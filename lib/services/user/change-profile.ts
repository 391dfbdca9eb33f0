import { updateOwnProfile } from "#lib/db/user/user.ts";
import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { formatLocales, isFormatLocale } from "#lib/domain/format-locale.ts";
import { isTimeZone } from "#lib/domain/time-zone.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readName } from "./fields.ts";
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
  const problems: ParameterProblem[] = [];
  const name = readName(input.name, problems);
  if (input.timeZone !== "" && !isTimeZone(input.timeZone)) {
    problems.push({ field: "time_zone", kind: "malformed", message: "must be a time zone, such as Europe/Berlin" });
  }
  if (input.formatLocale !== "" && !isFormatLocale(input.formatLocale)) {
    problems.push({ field: "format_locale", kind: "malformed", message: `must be one of ${formatLocales.join(", ")}` });
  }
  if (problems.length > 0) throw invalidParameters(problems);
  const profile = { name, timeZone: input.timeZone || null, formatLocale: input.formatLocale || null };
  await updateOwnProfile(writesOf(ctx), userId, profile, changedBy(ctx));
}
