"use client";
import type { setCustomer, setNotes, setTags } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { InlineEdit } from "#components/form/inline-edit.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Bound, InputOf } from "#lib/domain/action-result.ts";
import { type Customer, formatTags, nameCustomer } from "#lib/domain/labels.ts";
import { CustomerFields, TagsField } from "./label-fields.tsx";
import { licenseListHref } from "./license-params.ts";
import { TagLinks } from "./tag-links.tsx";

interface EditNotesProps extends InputOf<Bound<typeof setNotes>> {
  readonly action: Bound<typeof setNotes>;
}

export function EditNotes({ notes, seenVersion, action }: EditNotesProps) {
  return (
    <InlineEdit
      action={action}
      name="notes"
      permission="licenses:write"
      shown={
        <span className={notes === "" ? "py-1 text-text-muted" : "wrap-anywhere min-w-0 whitespace-pre-wrap py-1"}>
          {notes === "" ? "None" : notes}
        </span>
      }
      stored={{ notes, seenVersion }}
      title="Notes"
    >
      <TextareaField autoFocus defaultValue={notes} label="Notes" labelHidden name="notes" required={false} />
    </InlineEdit>
  );
}

interface EditTagsProps {
  readonly tags: readonly string[];
  readonly seenVersion: string;
  readonly action: Bound<typeof setTags>;
  /** The list that tags lead to. */
  readonly pathname: string;
}

export function EditTags({ tags, seenVersion, action, pathname }: EditTagsProps) {
  return (
    <InlineEdit
      action={action}
      name="tags"
      permission="licenses:write"
      shown={
        tags.length === 0 ? (
          <span className="py-1 text-text-muted">None</span>
        ) : (
          <div className="min-w-0 py-1">
            <TagLinks hrefOf={(tag) => licenseListHref(pathname, { tag })} tags={tags} />
          </div>
        )
      }
      stored={{ tags: formatTags(tags), seenVersion }}
      title="Tags"
    >
      <TagsField inPlace stored={formatTags(tags)} />
    </InlineEdit>
  );
}

interface EditCustomerProps extends InputOf<Bound<typeof setCustomer>> {
  readonly action: Bound<typeof setCustomer>;
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
