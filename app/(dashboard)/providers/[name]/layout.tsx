import { existing } from "#app/(dashboard)/found.ts";
import { findProvider } from "#app/(dashboard)/providers/find.ts";

export default existing(({ name }: { readonly name: string }) => findProvider(name));
