import { existing } from "#app/(dashboard)/found.ts";
import { findCase } from "./find.ts";

export default existing(({ id }: { readonly id: string }) => findCase(id));
