-- CreateIndex
CREATE INDEX "ledger_entries_wallet_id_kind_id_idx" ON "ledger_entries"("wallet_id", "kind", "id");
