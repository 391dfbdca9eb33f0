import { existing } from "#app/(dashboard)/found.ts";
import { requireReseller } from "./find.ts";

export default existing(({ id }: { readonly id: string }) => requireReseller(id));
