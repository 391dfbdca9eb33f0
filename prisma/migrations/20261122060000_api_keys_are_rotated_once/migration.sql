-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "successor_id" INTEGER;

-- Of rotations before this: of a key that was rotated several times, the newest.
update api_keys k set successor_id = r.successor_id
  from (select distinct on (subject) subject, (data ->> 'new_api_key_id')::int as successor_id
          from audit_entries where action = 'api_key.rotate' order by subject, id desc) r
 where r.subject = 'api_key:' || k.id;

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_successor_id_key" ON "api_keys"("successor_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_successor_id_fkey" FOREIGN KEY ("successor_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
