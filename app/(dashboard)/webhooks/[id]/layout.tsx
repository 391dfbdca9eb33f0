import { existing } from "#app/(dashboard)/found.ts";
import { findEndpoint } from "./find.ts";

export default existing(({ id }: { readonly id: string }) => findEndpoint(id));
