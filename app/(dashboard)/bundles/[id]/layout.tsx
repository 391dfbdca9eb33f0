import { existing } from "#app/(dashboard)/found.ts";
import { findBundle } from "./find.ts";

export default existing(({ id }: { readonly id: string }) => findBundle(id));
