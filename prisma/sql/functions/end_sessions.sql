-- Ends a user's sessions but p_kept (null: all), and sign-ins that wait for the second factor. Locks the user, as opening a
-- session does (`lock_session_user`), so that it also finds one that is being opened: a statement with the calling one's
-- snapshot would not.
-- Raises nothing.
create or replace function end_sessions(p_user_id int, p_kept text, p_now timestamptz) returns void language plpgsql as $$
begin
  perform from users u where u.id = p_user_id for no key update;
  update sessions s set revoked_at = p_now where s.user_id = p_user_id and s.revoked_at is null and s.id::text is distinct from p_kept;
  delete from pending_sign_ins p where p.user_id = p_user_id;
end $$;
