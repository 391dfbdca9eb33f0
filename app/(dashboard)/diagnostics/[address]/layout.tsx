import { existing } from "#app/(dashboard)/found.ts";
import { findServer } from "./find.ts";

export default existing(({ address }: { readonly address: string }) => findServer(address));
