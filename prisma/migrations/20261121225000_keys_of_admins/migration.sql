-- CreateTable
CREATE TABLE "admin_idempotency_records" (
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "admin_idempotency_records_pkey" PRIMARY KEY ("user_id","key")
);

-- CreateIndex
CREATE INDEX "admin_idempotency_records_created_at_idx" ON "admin_idempotency_records"("created_at");

-- AddForeignKey
ALTER TABLE "admin_idempotency_records" ADD CONSTRAINT "admin_idempotency_records_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
