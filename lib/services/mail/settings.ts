import type { ServiceContext } from "#lib/services/context.ts";

const DEVELOPMENT_URL = "http://localhost:3000";

export interface MailSettings {
  /** Where links lead, without a slash at the end. */
  readonly publicUrl: string;
  /** Without a mail server, messages stay in the outbox. */
  readonly hasServer: boolean;
}

export function mailSettingsOf({ settings }: Pick<ServiceContext, "settings">): MailSettings {
  return settings.mail ?? { publicUrl: DEVELOPMENT_URL, hasServer: false };
}
