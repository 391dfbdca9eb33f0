"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { countUnreadNotifications } from "#lib/services/notification/list.ts";
import { markNotificationsRead } from "#lib/services/notification/mark-read.ts";

/** For the shell's bell. */
export const readUnread = defineAction({
  name: "notifications.readUnread",
  repeatable: true,
  inBackground: true,
  run: countUnreadNotifications,
});

export const markRead = defineAction({
  name: "notifications.markRead",
  input: z.object({ until: z.iso.datetime().transform((text) => new Date(text)) }),
  revalidateOnSuccess: ["/notifications"],
  run: markNotificationsRead,
});
