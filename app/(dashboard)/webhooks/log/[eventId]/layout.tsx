import { existing } from "#app/(dashboard)/found.ts";
import { findEvent } from "./find.ts";

export default existing(({ eventId }: { readonly eventId: string }) => findEvent(eventId));
