import KeyLoading from "#app/(dashboard)/api-keys/[id]/loading.tsx";

export default KeyLoading;
