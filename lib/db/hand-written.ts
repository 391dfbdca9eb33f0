/** What the migrations make by hand because a Prisma schema cannot say it; a comparison with the schema must not drop it. */
const HAND_WRITTEN_STATEMENTS: ReadonlySet<string> = new Set([
  'DROP INDEX "api_requests_errors";',
  'DROP INDEX "api_requests_minutes";',
  'DROP INDEX "licenses_search";',
  'DROP INDEX "prices_one_per_cycle_and_list";',
  'DROP INDEX "servers_search";',
  'DROP INDEX "webhook_deliveries_pending";',
  'DROP INDEX "webhook_deliveries_pending_in_order";',
  'DROP INDEX "webhook_deliveries_under_way";',
  'ALTER TABLE "licenses" DROP COLUMN "search_words";',
]);

/** Takes the removal of hand-written objects out of a script of the schema engine. */
export function withoutHandWritten(script: string): string {
  const blocks = script.trim().split(/\n\n(?=-- )/);
  const kept = blocks.filter((block) => !HAND_WRITTEN_STATEMENTS.has(block.replace(/^-- .*\n/, "").trim()));
  return kept.length === 0 || kept.join("") === "" ? "" : `${kept.join("\n\n")}\n`;
}
