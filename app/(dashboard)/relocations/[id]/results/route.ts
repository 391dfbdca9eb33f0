export { GET } from "#app/(dashboard)/licenses/bulk/[id]/results/route.ts";
