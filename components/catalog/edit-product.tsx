"use client";
import { useRouter } from "next/navigation";
import { useSubmission } from "#components/form/use-submission.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Created, ProductInput } from "./catalog.ts";
import { ProductForm, type ProductFormProps } from "./product-form.tsx";

export interface EditProductProps extends Pick<ProductFormProps, "initial" | "providers" | "fixed"> {
  readonly action: OnceAction<ProductInput, Created>;
  readonly isNew: boolean;
  readonly cancelHref: string;
}

/** Saves, and goes to the product's page. */
export function EditProduct({ action, isNew, cancelHref, ...form }: EditProductProps) {
  const router = useRouter();
  const submission = useSubmission(action, ({ href }) => {
    toast({ title: isNew ? "Product added" : "Product changed", tone: "positive" });
    router.push(href);
    return true;
  });
  return (
    <ProductForm
      {...form}
      cancel={<ButtonLink href={cancelHref}>Cancel</ButtonLink>}
      refusalNote={isNew ? "No product was added." : "Nothing was changed."}
      submission={submission}
      submitLabel={isNew ? "Add product" : "Save changes"}
    />
  );
}
