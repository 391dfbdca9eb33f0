import ApiKeysLoading from "#app/(dashboard)/api-keys/(list)/loading.tsx";

export default ApiKeysLoading;
