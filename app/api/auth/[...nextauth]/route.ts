export { handleAuth as GET, handleAuth as POST } from "#app/api/auth/handle-auth.ts";
