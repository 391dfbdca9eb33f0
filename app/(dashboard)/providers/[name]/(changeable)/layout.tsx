import { existing } from "#app/(dashboard)/found.ts";
import { findConnectedProvider } from "#app/(dashboard)/providers/find.ts";

export default existing(({ name }: { readonly name: string }) => findConnectedProvider(name));
