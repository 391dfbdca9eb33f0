"use client";
import { FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import type { checkImport } from "#app/(dashboard)/licenses/import/actions.ts";
import { Form } from "#components/form/form.tsx";
import type { FormState } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import type { InputOf } from "#lib/domain/action-result.ts";
import { IMPORT_TOO_LARGE, MAX_IMPORT_BYTES } from "#lib/domain/import-size.ts";
import { readTextFile } from "./read-text-file.ts";

export interface ImportEditorProps {
  /** The table as it was last checked. */
  readonly text: string;
  readonly form: FormState<InputOf<typeof checkImport>>;
}

const EXAMPLE = "product,cycle,ip_address,notes\nControl Panel,Monthly,203.0.113.7,Order 4711";

/** A file is read into the field, so that what is wrong can be put right at once; it can be pasted as well. */
export function ImportEditor({ text, form }: ImportEditorProps) {
  const fileRef = useRef<HTMLInputElement>(null);
  const textRef = useRef<HTMLTextAreaElement>(null);
  const [fileName, setFileName] = useState<string | null>(null);
  const [fileProblem, setFileProblem] = useState<string | null>(null);

  async function take(file: File | undefined) {
    if (file === undefined || textRef.current === null) return;
    const read = file.size > MAX_IMPORT_BYTES ? null : await readTextFile(file);
    const refused =
      read === null
        ? IMPORT_TOO_LARGE
        : read.includes("\0")
          ? "This is not a text file. Save the table as CSV (UTF-8)."
          : null;
    form.noteInput(textRef.current);
    setFileProblem(refused);
    setFileName(refused === null ? file.name : null);
    if (refused !== null || read === null) return;
    textRef.current.value = read;
    textRef.current.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function onDrop(event: DragEvent) {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  }

  return (
    <Card>
      <Form
        buttons={<p className="text-sm text-text-muted">Costs nothing. You see every row and its price first.</p>}
        form={form}
        onInput={() => setFileProblem(null)}
        primary
        refusalNote=""
        submitLabel="Check the table"
      >
        <div className="flex flex-wrap items-center gap-3">
          <Button icon={<FileUp className="size-4" />} onClick={() => fileRef.current?.click()}>
            Choose a file
          </Button>
          <input
            accept=".csv,.tsv,.txt,text/csv"
            aria-label="CSV file"
            className="sr-only"
            onChange={({ target }) => {
              void take(target.files?.[0]).then(() => {
                target.value = "";
              });
            }}
            ref={fileRef}
            tabIndex={-1}
            type="file"
          />
          <p className="min-w-0 truncate text-sm text-text-muted" role="status">
            {fileName === null ? (
              <>
                or <span className="pointer-coarse:hidden">drop it or </span>paste the rows below
              </>
            ) : (
              `Read from ${fileName}`
            )}
          </p>
        </div>
        <TextareaField
          className="field-sizing-fixed! h-72 overflow-auto max-md:h-36 whitespace-pre font-mono text-xs"
          defaultValue={text}
          error={form.problems.length === 0 ? fileProblem : undefined}
          hint="Separated by commas, semicolons or tabs. The first line names the columns; up to 5,000 rows."
          label="Table"
          name="text"
          onDragOver={(event) => event.preventDefault()}
          onDrop={onDrop}
          placeholder={EXAMPLE}
          ref={textRef}
          spellCheck={false}
        />
      </Form>
    </Card>
  );
}
