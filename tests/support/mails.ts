import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import type { OutgoingMail } from "#lib/ports/mail-sender.ts";
import { attemptMail, claimDueMails } from "#lib/services/mail/deliver.ts";
import type { ServiceSettings } from "#lib/services/settings.ts";
import { sql } from "#tests/sql.ts";
import { ENCRYPTION_KEY } from "./webhooks.ts";
import type { World } from "./world.ts";

export const PUBLIC_URL = "https://desk.example.com";

/** Settings of a service that can store the links of messages. */
export function mailSettings(world: World, hasServer = true): ServiceSettings {
  return {
    ...world.operator.settings,
    sealingKey: parseSealingKey(ENCRYPTION_KEY),
    mail: { publicUrl: PUBLIC_URL, hasServer },
  };
}

/** Everything stored about messages and links, as text. */
export async function storedMail(world: World): Promise<string> {
  const text = "select coalesce(string_agg(m::text, ' '), '') as all from mails m";
  const [row] = await world.db.query(sql<{ all: string }>(text), []);
  return row?.all ?? "";
}

/** Everything due, as it leaves for the mail server. */
export async function deliverMails(world: World): Promise<OutgoingMail[]> {
  const ctx = world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
  const sent: OutgoingMail[] = [];
  const send = async (message: OutgoingMail) => {
    sent.push(message);
    return { kind: "accepted" } as const;
  };
  for (const mail of await claimDueMails(ctx, { slots: 500 })) await attemptMail(ctx, { mail, sender: { send } });
  return sent;
}
