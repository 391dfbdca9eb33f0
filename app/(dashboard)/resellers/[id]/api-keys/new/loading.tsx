import NewKeyLoading from "#app/(dashboard)/api-keys/new/loading.tsx";

export default NewKeyLoading;
