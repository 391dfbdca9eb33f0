import ApiKeysLoading from "#app/(dashboard)/api-keys/loading.tsx";

export default ApiKeysLoading;
