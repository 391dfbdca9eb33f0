-- AlterTable
ALTER TABLE "resellers" ADD COLUMN     "notes" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "suspension_reason" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "acting_as_reseller_id" INTEGER,
ADD COLUMN     "acting_until" TIMESTAMPTZ(3),
ADD COLUMN     "address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "user_agent" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_signed_in_at" TIMESTAMPTZ(3),
ADD COLUMN     "one_time_password_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "key" BYTEA NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "sign_in_attempts_last_at_idx" ON "sign_in_attempts"("last_at");

-- CreateIndex
CREATE INDEX "sessions_acting_as_reseller_id_idx" ON "sessions"("acting_as_reseller_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_acting_as_reseller_id_fkey" FOREIGN KEY ("acting_as_reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

alter table sessions
  add constraint sessions_acting_has_an_end check ((acting_as_reseller_id is null) = (acting_until is null));

-- Lets a user in no longer, at once, or again. p_reseller_id null: whoever's user it is.
-- `done`, `unchanged`, `missing`, or `last_admin`: somebody must be left to administer.
create function set_user_disabled(
  p_user_id int, p_reseller_id int, p_disabled boolean, p_actor text, p_request_id text, p_now timestamptz
) returns text language plpgsql as $$
declare
  person users;
begin
  -- Two admins who disable each other take turns here.
  perform from users u where u.role = 'admin' order by u.id for update;
  select * into person from users u
   where u.id = p_user_id and (p_reseller_id is null or u.reseller_id = p_reseller_id) for update;
  if not found then return 'missing'; end if;
  if (person.disabled_at is not null) = p_disabled then return 'unchanged'; end if;
  if p_disabled and person.role = 'admin'
     and not exists (select from users u where u.role = 'admin' and u.disabled_at is null and u.id <> person.id) then
    return 'last_admin';
  end if;
  update users u set disabled_at = case when p_disabled then p_now end where u.id = person.id;
  if p_disabled then
    update sessions s set revoked_at = p_now where s.user_id = person.id and s.revoked_at is null;
  end if;
  perform write_audit_entry(p_actor, case when p_disabled then 'user.disable' else 'user.enable' end, person.reseller_id,
                            'user:' || person.id, '', jsonb_build_object('email', person.email), p_now, p_request_id, person.name);
  return 'done';
end $$;
