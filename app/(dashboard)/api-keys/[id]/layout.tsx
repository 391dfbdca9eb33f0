import { findKey } from "#app/(dashboard)/api-keys/place.ts";
import { existing } from "#app/(dashboard)/found.ts";

export default existing(({ id }: { readonly id: string }) => findKey(null, id));
