export { default } from "#app/(dashboard)/licenses/bulk/[id]/layout.tsx";
