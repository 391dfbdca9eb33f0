import type { ChatFormat } from "./webhook-format.ts";

/** The body of a request to a chat. */
export function formatChatBody(format: ChatFormat, text: string, chatId: string | null): string {
  switch (format) {
    case "slack":
      return JSON.stringify({ text: escapeForSlack(text) });
    case "telegram":
      return JSON.stringify({ chat_id: chatId, text, link_preview_options: { is_disabled: true } });
    default:
      return format satisfies never;
  }
}

/** Slack reads only these three as control characters. */
function escapeForSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
