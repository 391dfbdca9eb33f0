import { existing } from "#app/(dashboard)/found.ts";
import { findJob } from "./find.ts";

export default existing(({ id }: { readonly id: string }) => findJob(id));
