"use client";
import { InlineEdit } from "#components/form/inline-edit.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { type Customer, nameCustomer } from "#lib/domain/labels.ts";
import { CustomerFields } from "./label-fields.tsx";
import type { CustomerInput } from "./license-changes.ts";

export interface EditCustomerProps extends CustomerInput {
  readonly action: OnceAction<CustomerInput, CustomerInput>;
  /** The list of this customer's licenses. */
  readonly href: string;
}

/** The reseller's own customer of a license, and whatever else is theirs. */
export function EditCustomer({ action, href, ...stored }: EditCustomerProps) {
  return (
    <InlineEdit
      action={action}
      name="customer"
      permission="licenses:write"
      shown={<CustomerText customer={stored} href={href} />}
      stored={stored}
      title="Customer"
    >
      <div className="flex flex-col gap-3">
        <CustomerFields inPlace stored={stored} />
      </div>
    </InlineEdit>
  );
}

function CustomerText({ customer, href }: { readonly customer: Customer; readonly href: string }) {
  const name = nameCustomer(customer);
  if (name === "") return <span className="py-1 text-text-muted">None</span>;
  const more = [customer.customerEmail, customer.customerReference].filter((text) => text !== "" && text !== name);
  return (
    <span className="wrap-anywhere min-w-0 py-1">
      <TextLink dir="auto" href={href}>
        {name}
      </TextLink>
      {more.map((text) => (
        <span className="text-text-muted" key={text}>
          {" · "}
          {text}
        </span>
      ))}
    </span>
  );
}
