"use client";
import { useRouter } from "next/navigation";
import type { update } from "#app/(dashboard)/webhooks/actions.ts";
import { useForm } from "#components/form/use-form.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import type { EndpointDetails } from "./webhook.ts";

export interface EditEndpointProps {
  readonly endpoint: EndpointDetails;
  readonly update: Bound<typeof update>;
}

export function EditEndpoint({ endpoint, update }: EditEndpointProps) {
  const router = useRouter();
  const { format, url, chatId, description, kinds, ordered, concurrency } = endpoint;
  const form = useForm(
    update,
    () => {
      toast({ title: "Endpoint changed", tone: "positive" });
      router.push(endpoint.href);
      return true;
    },
    {
      url,
      chat_id: chatId ?? "",
      description,
      events: kinds.length === 0 ? "all" : kinds.join(", "),
      ordered: ordered ? "in order" : "as fast as possible",
      concurrency: String(concurrency),
    },
  );
  return (
    <EndpointForm
      cancel={<ButtonLink href={endpoint.href}>Cancel</ButtonLink>}
      form={form}
      current={{ format, url, chatId }}
      initial={{ description, every_event: kinds.length === 0, events: kinds, ordered, concurrency }}
      refusalNote="Nothing was changed."
      submitLabel="Save changes"
    />
  );
}
