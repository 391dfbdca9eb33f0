import { ArrowRight } from "lucide-react";
import Form from "next/form";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";

export interface AddressFormProps {
  readonly from: string;
  readonly to: string;
  readonly problems: { readonly from: string | null; readonly to: string | null };
  /** The addresses have been looked at before. */
  readonly again: boolean;
}

/** Asks for both addresses; the answer is the dry run, whose address can be kept and sent on. */
export function AddressForm({ from, to, problems, again }: AddressFormProps) {
  return (
    <Form action="/relocations" className="flex flex-wrap items-start gap-x-4 gap-y-3" noValidate>
      <div className="w-full sm:w-52">
        <TextField
          defaultValue={from}
          error={problems.from}
          label="Old address"
          mono
          name="from"
          placeholder="203.0.113.7"
        />
      </div>
      <ArrowRight className="mt-8 size-4 text-text-muted max-sm:hidden" />
      <div className="w-full sm:w-52">
        <TextField
          defaultValue={to}
          error={problems.to}
          label="New address"
          mono
          name="to"
          placeholder="198.51.100.24"
        />
      </div>
      <Button className="sm:mt-[1.625rem]" type="submit" variant={again ? "secondary" : "primary"}>
        {again ? "Refresh preview" : "See what would move"}
      </Button>
    </Form>
  );
}
