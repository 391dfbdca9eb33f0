export { GET } from "#app/(dashboard)/licenses/bulk/[id]/progress/route.ts";
