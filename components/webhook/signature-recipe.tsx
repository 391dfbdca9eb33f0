import { Card } from "#components/ui/card.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { byHandSnippet, librarySnippet } from "./signature-snippets.ts";

export interface SignatureRecipeProps {
  readonly body: string;
  /** Of the newest attempt; null while there is none. */
  readonly headers: Readonly<Record<string, string>> | null;
}

/** How a receiver tells that a message is genuine; with the headers of this very message. */
export function SignatureRecipe({ body, headers }: SignatureRecipeProps) {
  const library = <Snippet label="Copy code" text={librarySnippet()} />;
  return (
    <Card
      description="Messages follow Standard Webhooks, which has libraries for most languages. Verify before you parse."
      title="Verify the signature"
    >
      {headers === null ? (
        library
      ) : (
        <Tabs
          label="Ways to verify"
          tabs={[
            { id: "library", label: "In your code", content: library },
            {
              id: "hand",
              label: "This message, by hand",
              content: (
                <>
                  <p className="mb-2 text-sm text-text-muted">
                    This prints a signature. The message is genuine if its{" "}
                    <code className="font-mono">webhook-signature</code> contains it:
                  </p>
                  <p className="wrap-anywhere mb-2 rounded-md border px-3 py-2 font-mono text-xs">
                    {headers["webhook-signature"]}
                  </p>
                  <Snippet label="Copy command" text={byHandSnippet(headers, body)} />
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Snippet({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="relative">
      <CodeText className="max-h-80 pr-11 max-sm:pt-10">{text}</CodeText>
      <div className="absolute top-1.5 right-1.5 rounded-md bg-surface-sunken">
        <CopyButton label={label} value={text} />
      </div>
    </div>
  );
}
