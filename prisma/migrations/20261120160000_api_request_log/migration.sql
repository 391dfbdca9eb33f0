-- CreateTable
CREATE TABLE "api_requests" (
    "id" BIGSERIAL NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "request_count" INTEGER NOT NULL DEFAULT 1,
    "total_duration_us" BIGINT NOT NULL,
    "max_duration_us" INTEGER NOT NULL,
    "request_id" TEXT,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_requests_api_key_id_started_at_id_idx" ON "api_requests"("api_key_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "api_requests_api_key_id_operation_started_at_id_idx" ON "api_requests"("api_key_id", "operation", "started_at", "id");

-- AddForeignKey
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules and hand-written indexes.

alter table api_requests add check (request_count > 0 and (request_count = 1 or request_id is null));

-- One row stands for a minute of equal answers, whichever instances gave them.
create unique index api_requests_minutes on api_requests (api_key_id, operation, method, status, started_at) where request_id is null;

-- Errors are few among many: they are found without reading all the rest.
create index api_requests_errors on api_requests (api_key_id, started_at, id) where status >= 400;
