"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { countUnreadNotifications } from "#lib/services/notification/list.ts";
import { markNotification, markNotificationsRead } from "#lib/services/notification/mark-read.ts";

/** For the shell's bell. */
export const readUnread = defineAction({
  name: "notifications.readUnread",
  repeatable: true,
  inBackground: true,
  run: countUnreadNotifications,
});

export const markRead = defineAction({
  name: "notifications.markRead",
  input: z.strictObject({ until: z.iso.datetime().transform((text) => new Date(text)) }),
  revalidateOnSuccess: ["/notifications"],
  run: markNotificationsRead,
});

export const markOne = defineAction({
  name: "notifications.markOne",
  input: z.strictObject({ id: z.string().max(100), unread: z.boolean() }),
  revalidateOnSuccess: ["/notifications"],
  run: markNotification,
});
