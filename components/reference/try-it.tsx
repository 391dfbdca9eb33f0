"use client";
import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { namesIds, readOwnIds, withOwnIds } from "./own-ids.ts";

export interface TriedRequest {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  /** `$KEY` stands for the API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly kind: "json" | "form"; readonly fields: Readonly<Record<string, unknown>> } | null;
}

export interface TryItProps {
  readonly request: TriedRequest;
  readonly onClose: () => void;
}

interface Answer {
  readonly status: string;
  readonly requestId: string;
  readonly text: string;
}

const TEST_KEY = /^lk_test_\w+$/;
/** Kept while the page is open, in memory only. */
let lastKey = "";

/** Sends an example of the reference, as it is or changed, with a test key. */
export default function TryIt({ request, onClose }: TryItProps) {
  const formId = useId();
  const { method, path, headers, body } = request;
  const bodyText = body === null ? "" : textOf(body);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [pending, setPending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);

  /** The test key, or null: then the field says what is wrong. */
  function readKey(data: FormData): string | null {
    const key = String(data.get("key")).trim();
    if (!TEST_KEY.test(key)) {
      setRefusal("Use a test key: it begins with lk_test_. Nothing was sent.");
      return null;
    }
    lastKey = key;
    setRefusal(null);
    return key;
  }

  async function fillIn() {
    const form = formRef.current;
    const key = form && readKey(new FormData(form));
    if (!key) return;
    try {
      const own = await readOwnIds(key);
      for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[name=path], [name=body]")) {
        field.value = withOwnIds(field.value, own);
      }
    } catch {
      setRefusal("Your products and licenses could not be read with this key.");
    }
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const key = readKey(data);
    setAnswer(null);
    if (key === null) return;
    setPending(true);
    // Every attempt is a request of its own.
    const sent = Object.entries(headers).filter(([name]) => name !== "Idempotency-Key");
    const keyed = sent.map(([name, value]) => [name, value.replace("$KEY", key)] as const);
    try {
      setAnswer(
        await call(method, String(data.get("path")), keyed, body && { ...body, text: String(data.get("body")) }),
      );
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : "The request could not be sent.");
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog
      description="It is sent with a test key, and changes nothing live."
      footer={
        <>
          {(namesIds(path) || namesIds(bodyText)) && (
            <Button disabled={pending} onClick={() => void fillIn()}>
              Use my own IDs
            </Button>
          )}
          <Button form={formId} loading={pending} type="submit" variant="primary">
            Send
          </Button>
        </>
      }
      onClose={onClose}
      size="lg"
      title="Try it"
    >
      <form
        className="flex flex-col gap-4"
        id={formId}
        method="dialog"
        noValidate
        onInput={() => setRefusal(null)}
        onSubmit={send}
        ref={formRef}
      >
        <TextField
          autoComplete="off"
          className="font-mono"
          data-autofocus
          defaultValue={lastKey}
          error={refusal}
          hint="In the dashboard: Test mode, then API keys. It stays on this page."
          label="Test key"
          name="key"
          spellCheck={false}
        />
        <TextField
          autoComplete="off"
          className="font-mono"
          defaultValue={path}
          label={`${method} /api/v1`}
          name="path"
          spellCheck={false}
        />
        {body && (
          <TextareaField
            className="font-mono"
            defaultValue={bodyText}
            hint={body.kind === "form" ? "A parameter a line." : undefined}
            label="Body"
            name="body"
            rows={6}
            spellCheck={false}
          />
        )}
        <div aria-live="polite">
          {answer && (
            <>
              <p className="text-sm">
                <strong className="font-semibold">{answer.status}</strong>{" "}
                <span className="text-text-muted">{answer.requestId}</span>
              </p>
              <pre className="mt-1 max-h-64 overflow-auto whitespace-pre-wrap rounded-md bg-surface-sunken p-3 font-mono text-xs">
                {answer.text}
              </pre>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function textOf({ kind, fields }: NonNullable<TriedRequest["body"]>): string {
  if (kind === "json") return JSON.stringify(fields, null, 2);
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

async function call(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body: { readonly kind: "json" | "form"; readonly text: string } | null,
): Promise<Answer> {
  const form = () => new URLSearchParams(body?.text.split("\n").filter(Boolean).map(splitOnce));
  const response = await fetch(`/api/v1/${path.replace(/^\/+/, "")}`, {
    method,
    headers: Object.fromEntries(headers),
    credentials: "omit",
    ...(body === null ? {} : { body: body.kind === "json" ? body.text : form() }),
  });
  const text = await response.text();
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    requestId: response.headers.get("x-request-id") ?? "",
    text: indented(text),
  };
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf("=");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
