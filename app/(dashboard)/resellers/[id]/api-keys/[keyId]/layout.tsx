import { findKey } from "#app/(dashboard)/api-keys/place.ts";
import { existing } from "#app/(dashboard)/found.ts";

export default existing(({ id, keyId }: { readonly id: string; readonly keyId: string }) => findKey(id, keyId));
