import { existing } from "#app/(dashboard)/found.ts";
import { findLicense } from "./find.ts";

export default existing(({ id }: { readonly id: string }) => findLicense(id));
