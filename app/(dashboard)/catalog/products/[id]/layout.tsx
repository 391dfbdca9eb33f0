import { findProduct } from "#app/(dashboard)/catalog/find.ts";
import { existing } from "#app/(dashboard)/found.ts";

export default existing(({ id }: { readonly id: string }) => findProduct(id));
